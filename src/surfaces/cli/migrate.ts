import { createApp } from '../../app.ts';
import { currentSettings } from '../../config/current.ts';
import { readArguments } from './arguments.ts';
import { usageOf } from './command-help.ts';
import { printJson, talk } from './terminal.ts';

/** `crawl4r migrate`: brings the database up to date. Every start does; this does nothing else. */
export async function run(args: string[]): Promise<void> {
  const { values } = readArguments(args, usageOf('migrate'));
  const { settings } = currentSettings();
  await using app = await createApp(settings);
  const { version } = await app.database.check();
  if (values.json === true) await printJson({ migrated: true, database: version });
  talk(`the database is up to date (PostgreSQL ${version})`);
}
