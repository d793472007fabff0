import { COMMAND_GROUPS, COMMAND_HELP } from './command-help.ts';
import { GLOBAL_OPTIONS } from './global-options.ts';
import { actionUsage } from './manage.ts';
import { RESOURCES } from './resources.ts';
import { print } from './terminal.ts';

const ABOUT_COLUMN = 28;

const listed = (usage: string, about: string) =>
  usage.length < ABOUT_COLUMN
    ? `  ${usage.padEnd(ABOUT_COLUMN)}${about}`
    : `  ${usage}\n${' '.repeat(ABOUT_COLUMN + 2)}${about}`;

/** Every command takes --json; a list that says so each time is harder to read. */
const listGroup = (title: keyof typeof COMMAND_GROUPS) =>
  [
    title,
    ...Object.values(COMMAND_GROUPS[title]).map(({ usage, about }) => listed(usage.replace(' [--json]', ''), about)),
  ].join('\n');

const HELP = `crawl4r: crawl sites, read them, search them

${listGroup('Run it')}

${listGroup('Use it')}

Look after it
${Object.entries(RESOURCES)
  .map(([name, { about, actions }]) => `${listed(name, about)}\n${' '.repeat(30)}${Object.keys(actions).join(', ')}`)
  .join('\n')}

${listGroup('Try parts of it')}

On a server elsewhere
${GLOBAL_OPTIONS.map(([option, meaning]) => listed(option, meaning)).join('\n')}

COMMAND --help has the details of one. Every command takes --json. Data goes to stdout, talk to stderr. docs/cli.md has exit codes.
Settings come from the environment and from .env in the working folder: DATA_DIR, PORT and more; .env.example lists them all.`;

/** `crawl4r help`, and `crawl4r help NAME [STEP]` (or `NAME STEP --help`) for one command. */
export function run([name = '', step = '']: string[]): Promise<void> {
  const resource = RESOURCES[name];
  if (resource !== undefined) {
    const all = Object.entries(resource.actions);
    const chosen = Object.hasOwn(resource.actions, step) ? all.filter(([each]) => each === step) : all;
    const lines = chosen.map(([each, action]) => `  crawl4r ${actionUsage(name, each, action)}`);
    return print(`${name}: ${resource.about}\n\n${lines.join('\n')}`);
  }
  if (!Object.hasOwn(COMMAND_HELP, name)) return print(HELP);
  const { usage, about, parts = [] } = COMMAND_HELP[name]!;
  const meanings = parts.map(([part, meaning]) => `  ${part.padEnd(18)}${meaning}`);
  return print(
    [`${name}: ${about}`, '', `  crawl4r ${usage}`, ...(parts.length > 0 ? ['', ...meanings] : [])].join('\n'),
  );
}
