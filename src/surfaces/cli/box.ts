/** Rows of a name and a value in a frame; a row without a name goes on below the one before. */
export function box(title: string, rows: readonly (readonly [string, string])[]): string {
  const names = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, value]) => `${name.padEnd(names)}  ${value}`);
  const width = Math.max(title.length + 2, ...lines.map((line) => line.length));
  return [
    `╭─ ${title} ${'─'.repeat(Math.max(0, width - title.length - 1))}╮`,
    ...lines.map((line) => `│ ${line.padEnd(width)} │`),
    `╰${'─'.repeat(width + 2)}╯`,
  ].join('\n');
}
