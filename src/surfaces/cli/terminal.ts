/** Data goes to stdout, talk to stderr: a pipe gets the data alone. */

/** A reader that has seen enough (`| head`) is no error. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

export async function print(text: string): Promise<void> {
  const line = text.endsWith('\n') ? text : `${text}\n`;
  if (!process.stdout.write(line)) await new Promise<void>((resolve) => process.stdout.once('drain', resolve));
}

export const printJson = (value: unknown) => print(JSON.stringify(value));

export const talk = (text: string) => void process.stderr.write(`${text}\n`);

export const counted = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

/** Columns under each other; the last one is cut to the width of the terminal. */
export function table(rows: readonly (readonly string[])[], width = process.stdout.columns ?? 200): string {
  const widths = rows.reduce<number[]>((seen, row) => row.map((cell, at) => Math.max(seen[at] ?? 0, cell.length)), []);
  return rows
    .map((row) => row.map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at]!))).join('  '))
    .map((line) => (line.length > width ? `${line.slice(0, width - 1)}…` : line))
    .join('\n');
}

/** Text from the web, made safe to show: control characters could drive the terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
export const plain = (text: string) => text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');
