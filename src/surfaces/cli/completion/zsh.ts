import { type Command, globalOptions, type Option, type Step, valueOptions } from './model.ts';

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
/** `name:what it is`, as _describe takes it. */
const described = (list: readonly (Option | Step)[]) =>
  list.map(({ name, about }) => quote(`${name.replaceAll(':', '\\:')}${about === '' ? '' : `:${about}`}`)).join(' ');
const globals = globalOptions.map(({ name }) => `*:${name}`).join('|');

/** Completion for zsh, as a file of its fpath or by eval. */
export function writeZsh(commands: readonly Command[]): string {
  const withValues = valueOptions(commands);
  const patterns = [globals, ...withValues.keys()].join('|');
  const values = [...withValues].flatMap(([key, option]) => writeValues(key, option));
  const steps = commands
    .filter((command) => command.steps.length > 0)
    .map((command) => `      (${command.name}) list=(${described(command.steps)}) ;;`);
  const options = commands.flatMap((command) => [
    ...command.steps
      .filter((step) => step.options.length > 0)
      .map((step) => `      (${command.name}:${step.name}) list=(${described(step.options)}) ;;`),
    `      (${command.name}:*) list=(${described(command.options)}) ;;`,
  ]);
  return `#compdef crawl4r
# crawl4r completion for zsh: eval "$(crawl4r completion zsh)", after compinit
_crawl4r() {
  local command='' step='' skip='' word prev=\${words[CURRENT-1]}
  local -a list
  integer at
  for (( at = 2; at < CURRENT; at++ )); do
    word=\${words[at]}
    if [[ -n $skip ]]; then skip=''; continue; fi
    case "$command:$word" in
      (${patterns}) skip=1 ;;
      (*:-*) ;;
      (*) if [[ -z $command ]]; then command=$word; elif [[ -z $step ]]; then step=$word; fi ;;
    esac
  done
  case "$command:$prev" in
${values.join('\n')}
    (${patterns}) return 1 ;;
  esac
  if [[ \${words[CURRENT]} == -* ]]; then
    case "$command:$step" in
${options.join('\n')}
    esac
    list+=(${described(globalOptions)})
    _describe -o option list
  elif [[ -z $command ]]; then
    list=(${described(commands)})
    _describe command list
  elif [[ -z $step ]]; then
    case "$command" in
${steps.join('\n')}
    esac
    (( \${#list} )) && _describe step list
  fi
}
if [[ "\${funcstack[1]}" == _crawl4r ]]; then _crawl4r "$@"; else compdef _crawl4r crawl4r; fi
`;
}

function writeValues(key: string, option: Option): string[] {
  if (option.takes === 'file') return [`    (${key}) _files; return ;;`];
  return option.values.length === 0 ? [] : [`    (${key}) compadd -- ${option.values.join(' ')}; return ;;`];
}
