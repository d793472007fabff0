import { type Command, globalOptions, type Option, type Step, valueOptions } from './model.ts';

const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
/** A line for each: the word, and what it is behind a tab. */
const offer = (list: readonly (Option | Step)[]) =>
  `printf '%s\\t%s\\n' ${list.map(({ name, about }) => `${name} ${quote(about)}`).join(' ')}`;

/** Completion for fish 3 and newer: one function that is asked for each word. */
export function writeFish(commands: readonly Command[]): string {
  const withValues = valueOptions(commands);
  const patterns = [...globalOptions.map(({ name }) => `*:${name}`), ...withValues.keys()].map(quote).join(' ');
  const values = [...withValues].flatMap(([key, option]) => writeValues(key, option));
  const steps = commands
    .filter((command) => command.steps.length > 0)
    .map((command) => `            case ${command.name}\n                ${offer(command.steps)}`);
  const options = commands.flatMap((command) => [
    ...command.steps
      .filter((step) => step.options.length > 0)
      .map((step) => `            case ${command.name}:${step.name}\n                ${offer(step.options)}`),
    ...(command.options.length > 0
      ? [`            case '${command.name}:*'\n                ${offer(command.options)}`]
      : []),
  ]);
  return `# crawl4r completion for fish: crawl4r completion fish > ~/.config/fish/completions/crawl4r.fish
function __crawl4r_complete
    set -l words (commandline -opc)
    set -l cur (commandline -ct)
    set -l command ''
    set -l step ''
    set -l skip ''
    for word in $words[2..-1]
        if test -n "$skip"
            set skip ''
            continue
        end
        switch "$command:$word"
            case ${patterns}
                set skip 1
            case '*:-*'
            case '*'
                if test -z "$command"
                    set command $word
                else if test -z "$step"
                    set step $word
                end
        end
    end
    switch "$command:$words[-1]"
${values.join('\n')}
        case ${patterns}
            return
    end
    if string match -q -- '-*' "$cur"
        switch "$command:$step"
${options.join('\n')}
        end
        ${offer(globalOptions)}
    else if test -z "$command"
        ${offer(commands)}
    else if test -z "$step"
        switch "$command"
${steps.join('\n')}
        end
    end
end
complete -c crawl4r -f -a '(__crawl4r_complete)'
`;
}

function writeValues(key: string, option: Option): string[] {
  const answer = option.takes === 'file' ? '__fish_complete_path "$cur"' : `printf '%s\\n' ${option.values.join(' ')}`;
  if (option.takes !== 'file' && option.values.length === 0) return [];
  return [`        case ${key}\n            ${answer}\n            return`];
}
