import { COMMAND_HELP } from '../command-help.ts';
import { GLOBAL_OPTIONS } from '../global-options.ts';
import type { Action } from '../manage.ts';
import { RESOURCES } from '../resources.ts';

/** What a shell may offer, read from the same tables as help: an option that is documented is completed. */
export interface Option {
  /** With its dashes. */
  name: string;
  about: string;
  /** `none` for a switch. */
  takes: 'none' | 'word' | 'file';
  /** The words it takes, where there are few. */
  values: readonly string[];
}

export interface Step {
  name: string;
  about: string;
  options: readonly Option[];
}

export interface Command extends Step {
  /** What may stand as the first word after it. */
  steps: readonly Step[];
}

/** Two words or more with a bar between: the words themselves. */
const CHOICE = /^[a-z_]+(?:[|,][a-z_]+)+$/;
const OPTION = /(--[a-z-]+)(?: ([^\s\]]+))?/g;

const toOption = (name: string, value: string | undefined, about: string): Option => ({
  name,
  about,
  takes: value === undefined || value === '|' ? 'none' : value === 'FILE' ? 'file' : 'word',
  values: value !== undefined && CHOICE.test(value) ? value.split(/[|,]/) : [],
});

const JSON_OPTION = toOption('--json', undefined, 'print JSON');
const HELP_OPTION = toOption('--help', undefined, 'show how it is used');

export const globalOptions: readonly Option[] = GLOBAL_OPTIONS.map(([option, about]) => {
  const [name = '', value] = option.split(' ');
  return toOption(name, value, about);
});

export function listCommands(): Command[] {
  const plain = Object.entries(COMMAND_HELP).map(([name, { usage, about, parts = [] }]): Command => {
    const meanings = new Map(parts.map(([part, meaning]) => [part.split(' ')[0]!, meaning]));
    const given = [...usage.matchAll(OPTION)].map(([, option, value]) =>
      toOption(option!, value, meanings.get(option!) ?? ''),
    );
    const named = parts.filter(([part]) => !part.startsWith('-')).map(([part]) => part.split(' ')[0]!);
    const chosen = usage
      .split(' ')
      .slice(1, 2)
      .filter((word) => CHOICE.test(word))
      .flatMap((word) => word.split('|'));
    const steps = [...new Set([...named, ...chosen])].map((step) => ({
      name: step,
      about: meanings.get(step) ?? '',
      options: [],
    }));
    return { name, about, options: complete(given), steps };
  });
  const managed = Object.entries(RESOURCES).map(([name, { about, actions }]): Command => {
    const steps = Object.entries(actions).map(([step, action]) => ({
      name: step,
      about: '',
      options: complete(optionsOf(action)),
    }));
    // Without a step, the first one is meant.
    return { name, about, options: steps[0]!.options, steps };
  });
  const commands = [...plain, ...managed];
  const help = commands.map(({ name, about }) => ({ name, about, options: [] }));
  return [...commands, { name: 'help', about: 'show how a command is used', options: [], steps: help }].sort((a, b) =>
    a.name < b.name ? -1 : 1,
  );
}

const optionsOf = (action: Action): Option[] =>
  Object.entries({ ...action.options, ...(action.lists === true ? { limit: 'N' } : {}) }).map(([option, kind]) =>
    toOption(`--${option}`, kind === 'SWITCH' ? undefined : kind, ''),
  );

/** Every command takes these too; an option of several usages stands once. */
function complete(options: readonly Option[]): Option[] {
  const all = [...options, JSON_OPTION, HELP_OPTION];
  const global = new Set(globalOptions.map(({ name }) => name));
  return all.filter(({ name }, at) => !global.has(name) && all.findIndex((other) => other.name === name) === at);
}

/** Every option that takes a value, by command; two steps of one command agree on it. */
export function valueOptions(commands: readonly Command[]): Map<string, Option> {
  const found = new Map<string, Option>();
  for (const command of commands)
    for (const option of [command, ...command.steps].flatMap(({ options }) => options))
      if (option.takes !== 'none') found.set(`${command.name}:${option.name}`, option);
  return found;
}
