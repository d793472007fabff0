import { type Command, globalOptions, type Option } from './model.ts';

const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
const about = (text: string) => (text === '' ? '' : ` -d ${quote(text)}`);
const seen = (names: readonly string[]) => `__fish_seen_subcommand_from ${names.join(' ')}`;

/** Completion for fish 3 and newer: one line a word. */
export function writeFish(commands: readonly Command[]): string {
  const lines = commands.flatMap((command) => {
    const here = seen([command.name]);
    const steps = command.steps.map(({ name }) => name);
    const withSteps = command.steps.some(({ options }) => options.length > 0);
    return [
      `complete -c crawl4r -n __fish_use_subcommand -a ${command.name}${about(command.about)}`,
      ...command.steps.map(
        (step) => `complete -c crawl4r -n '${here}; and not ${seen(steps)}' -a ${step.name}${about(step.about)}`,
      ),
      ...(withSteps
        ? command.steps.flatMap((step) =>
            step.options.map((option) => writeOption(option, `${here}; and ${seen([step.name])}`)),
          )
        : []),
      ...command.options.map((option) => writeOption(option, withSteps ? `${here}; and not ${seen(steps)}` : here)),
    ];
  });
  const shared = globalOptions.map((option) => writeOption(option, undefined));
  return `# crawl4r completion for fish: crawl4r completion fish > ~/.config/fish/completions/crawl4r.fish
complete -c crawl4r -f
${[...shared, ...lines].join('\n')}
`;
}

function writeOption(option: Option, where: string | undefined): string {
  const takes = { none: '', word: ' -x', file: ' -r -F' }[option.takes];
  const values = option.values.length === 0 ? '' : ` -a ${quote(option.values.join(' '))}`;
  const condition = where === undefined ? '' : ` -n '${where}'`;
  return `complete -c crawl4r${condition} -l ${option.name.slice(2)}${takes}${values}${about(option.about)}`;
}
