import { type Command, globalOptions, type Option, valueOptions } from './model.ts';

const names = (list: readonly { name: string }[]) => list.map(({ name }) => name).join(' ');
const globals = globalOptions.map(({ name }) => `*:${name}`).join('|');

/** Completion for bash 3.2 and newer: one function, no other package. */
export function writeBash(commands: readonly Command[]): string {
  const withValues = valueOptions(commands);
  const patterns = [globals, ...withValues.keys()].join('|');
  const values = [...withValues].flatMap(([key, option]) => writeValues(key, option));
  const steps = commands
    .filter((command) => command.steps.length > 0)
    .map((command) => `    ${command.name}) list="${names(command.steps)}" ;;`);
  const options = commands.flatMap((command) => [
    ...command.steps
      .filter((step) => step.options.length > 0)
      .map((step) => `    ${command.name}:${step.name}) list="${names(step.options)}" ;;`),
    `    ${command.name}:*) list="${names(command.options)}" ;;`,
  ]);
  return `# crawl4r completion for bash: eval "$(crawl4r completion bash)"
_crawl4r() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" command='' step='' skip='' word list='' at
  # "--mode=hybrid" comes as three words.
  if [ "$cur" = "=" ]; then cur=''; elif [ "$prev" = "=" ]; then prev="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  COMPREPLY=()
  for ((at = 1; at < COMP_CWORD; at++)); do
    word="\${COMP_WORDS[at]}"
    if [ "$word" = "=" ]; then continue; fi
    if [ -n "$skip" ]; then skip=''; continue; fi
    case "$command:$word" in
    ${patterns}) skip=1 ;;
    *:-*) ;;
    *) if [ -z "$command" ]; then command="$word"; elif [ -z "$step" ]; then step="$word"; fi ;;
    esac
  done
  case "$command:$prev" in
${values.join('\n')}
    ${patterns}) return ;;
  esac
  case "$cur" in
  -*)
    case "$command:$step" in
${options.join('\n')}
    esac
    list="$list ${names(globalOptions)}"
    ;;
  *)
    if [ -z "$command" ]; then list="${names(commands)}"
    elif [ -z "$step" ]; then case "$command" in
${steps.join('\n')}
    esac; fi
    ;;
  esac
  COMPREPLY=($(compgen -W "$list" -- "$cur"))
}
complete -F _crawl4r crawl4r
`;
}

function writeValues(key: string, option: Option): string[] {
  if (option.takes === 'file') return [`    ${key}) COMPREPLY=($(compgen -f -- "$cur")); return ;;`];
  if (option.values.length === 0) return [];
  return [`    ${key}) COMPREPLY=($(compgen -W "${option.values.join(' ')}" -- "$cur")); return ;;`];
}
