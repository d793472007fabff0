import packageFile from '../../../package.json' with { type: 'json' };
import { readArguments } from './arguments.ts';
import { usageOf } from './command-help.ts';
import { print, printJson } from './terminal.ts';

/** `crawl4r version`, or --version: its own version and that of the Node it runs on. */
export async function run(args: string[]): Promise<void> {
  const { values } = readArguments(args, usageOf('version'));
  const versions = { crawl4r: packageFile.version, node: process.versions.node };
  await (values.json === true ? printJson(versions) : print(`crawl4r ${versions.crawl4r} on Node ${versions.node}`));
}
