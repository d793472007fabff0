import type { Settings } from '../../config/settings.ts';
import { findSharedSite } from '../../demo/shared-site.ts';

/** The demo site that runs for this data folder may be read by a command that names it; the guard keeps all else. */
export async function allowDemo(settings: Settings, url: string): Promise<Settings> {
  if (!URL.canParse(url)) return settings;
  const { origin, hostname } = new URL(url);
  if (hostname !== '127.0.0.1' || (await findSharedSite(settings.dataDir)) !== origin) return settings;
  return { ...settings, guard: { ...settings.guard, allow: [...settings.guard.allow, origin] } };
}
