import { type LoadedSettings, loadSettings } from './load.ts';

/** The settings of this process: its environment, over the file it names, over the defaults. */
export const currentSettings = (): LoadedSettings => loadSettings(process.env);
