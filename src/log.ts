import { write, writeSync } from 'node:fs';
import { redact } from './redact.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
export type LogFields = Record<string, unknown>;

/** One JSON line per event: time, level, event, then the fields. `event` is a constant; what varies is a field. */
export interface Log {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
  /** The same log, with fields every line carries (request, crawl or task ids). */
  child(fields: LogFields): Log;
}

export interface LogOptions {
  level: LogLevel | 'silent';
  stream: { write(line: string): unknown };
}

/** Longer lines are cut, so that callers cannot fill the disk through the log. */
const MAX_LINE = 16_384;

const RANKS = { debug: 0, info: 1, warn: 2, error: 3, silent: 4 };

export function createLog({ level, stream }: LogOptions, bound: LogFields = {}): Log {
  const line = (of: LogLevel) => (event: string, fields?: LogFields) => {
    if (RANKS[of] < RANKS[level]) return;
    const entry = { time: new Date().toISOString(), level: of, event, ...bound, ...fields };
    stream.write(`${toLine(entry)}\n`);
  };
  return {
    debug: line('debug'),
    info: line('info'),
    warn: line('warn'),
    error: line('error'),
    child: (fields) => createLog({ level, stream }, { ...bound, ...fields }),
  };
}

/** Lines that wait at most; beyond it they are dropped and counted. */
const MAX_WAITING = 4 * 1024 * 1024;
const BUSY_MS = 10;

/**
 * Lines to a file descriptor, usually stderr. Those of one turn of the event loop leave in one write, one write at a time, off
 * the event loop: a slow disk, pipe or terminal does not hold requests up. What is left is written when the process ends.
 */
export function writeLines(fd: number): LogOptions['stream'] & Disposable {
  let lines: string[] = [];
  let [length, dropped] = [0, 0];
  let sending: Buffer | undefined;

  function send(): void {
    if (sending !== undefined || lines.length === 0) return;
    sending = take();
    writeOn();
  }

  function take(): Buffer {
    if (dropped > 0) lines.push(`${JSON.stringify({ level: 'warn', event: 'log_lines_dropped', lines: dropped })}\n`);
    const bytes = Buffer.from(lines.join(''));
    lines = [];
    [length, dropped] = [0, 0];
    return bytes;
  }

  function writeOn(): void {
    write(fd, sending!, (error, written) => {
      // The process may have ended it meanwhile.
      if (sending === undefined) return;
      if (error?.code === 'EAGAIN') return void setTimeout(writeOn, BUSY_MS);
      // Nothing can be said about a log that cannot be written.
      sending = error === null && written < sending.length ? sending.subarray(written) : undefined;
      if (sending !== undefined) writeOn();
      else send();
    });
  }

  /** A write that is under way is not waited for: the system has it. */
  const finish = () => {
    sending = undefined;
    if (lines.length > 0) writeAll(fd, take());
  };
  process.on('exit', finish);
  return {
    write(line) {
      if (length > MAX_WAITING) return void dropped++;
      if (lines.length === 0) setImmediate(send);
      lines.push(line);
      length += line.length;
    },
    [Symbol.dispose]() {
      finish();
      process.off('exit', finish);
    },
  };
}

/** Until it is written, or cannot be: a full pipe is given a second. */
function writeAll(fd: number, bytes: Buffer): void {
  const deadline = performance.now() + 1_000;
  for (let rest = bytes; rest.length > 0 && performance.now() < deadline; ) {
    try {
      rest = rest.subarray(writeSync(fd, rest));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
    }
  }
}

/** Too much for one line: what names the event stays, the rest is cut. */
function toLine(entry: LogFields): string {
  const whole = JSON.stringify(redact(entry));
  if (Buffer.byteLength(whole) <= MAX_LINE) return whole;
  const { time, level, event, request_id, code } = redact(entry) as LogFields;
  // A character takes at most six bytes once it is escaped a second time.
  return JSON.stringify({ time, level, event, request_id, code, cut: whole.slice(0, MAX_LINE / 8) });
}
