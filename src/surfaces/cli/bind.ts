import type { Settings } from '../../config/settings.ts';
import { refuseExposure } from '../http/listen.ts';
import type { Arguments } from './arguments.ts';

/** The flag of every command that listens. */
export const INSECURE = { insecure: { type: 'boolean' } } as const;

/** The settings with what the flag says; throws BIND_INSECURE before anything is started. */
export function checkBind(settings: Settings, { insecure }: Arguments['values']): Settings {
  const asked = insecure === true ? { ...settings, http: { ...settings.http, insecure } } : settings;
  refuseExposure(asked);
  return asked;
}
