import { createWriteStream, type WriteStream } from 'node:fs';

interface LogFile {
  write(line: string): void;
}

/**
 * A file that lines are added to. Where it cannot be written (a full disk), `onTrouble` is called once, lines are dropped,
 * and it is tried again after a while: a log must neither end the program nor end for good itself.
 */
export function openLogFile(file: string, onTrouble: (error: Error) => void, retryMs = 5_000): LogFile {
  let stream: WriteStream | undefined;
  let triedAt = Number.NEGATIVE_INFINITY;
  let told = false;
  const open = () => {
    triedAt = performance.now();
    const opened = createWriteStream(file, { flags: 'a' });
    opened.on('error', (error) => {
      if (stream === opened) stream = undefined;
      if (!told) onTrouble(error);
      told = true;
    });
    return opened;
  };
  return {
    write(line) {
      if (stream === undefined && performance.now() - triedAt < retryMs) return;
      stream ??= open();
      stream.write(line, (error) => {
        if (!error) told = false;
      });
    },
  };
}
