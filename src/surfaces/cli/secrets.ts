import { createApp } from '../../app.ts';
import { currentSettings } from '../../config/current.ts';
import { AppError } from '../../errors.ts';
import { getSecretsState, rotateSecrets } from '../../operations/admin/rotate-secrets.ts';
import { readArguments } from './arguments.ts';
import { usageOf } from './command-help.ts';
import { print, printJson, talk } from './terminal.ts';

const USAGE = usageOf('secrets');

/** `crawl4r secrets`: the key that stored passwords, header values and webhook secrets are encrypted with. */
export async function run(args: string[]): Promise<void> {
  const { values, positionals } = readArguments(args, USAGE, {}, { max: 1 });
  const [action = 'status'] = positionals;
  if (action !== 'status' && action !== 'rotate')
    throw new AppError('USAGE', `"${action}" does not fit`, { hint: `Usage: crawl4r ${USAGE}` });
  const { settings } = currentSettings();
  await using app = await createApp({ ...settings, logLevel: 'silent' });
  if (action === 'rotate') {
    const done = await rotateSecrets(app);
    talk(`${done.resealed} stored values were encrypted anew with key ${done.key}`);
    return values.json === true ? printJson(done) : undefined;
  }
  const state = await getSecretsState(app);
  if (values.json === true) return printJson(state);
  await print(`key ${state.key} from ${state.file ?? 'SECRETS__KEY'}; ${state.stale} values are under an older key`);
  if (state.stale > 0) talk('Encrypt them anew with: crawl4r secrets rotate');
}
