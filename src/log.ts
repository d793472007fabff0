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

const MAX_BATCH = 65_536;

/**
 * A stream that gets the lines of one turn of the event loop in one write: a write to a terminal, pipe or file of stderr
 * stops the program for as long as it takes. What is left is written when the process ends.
 */
export function batchLines(stream: LogOptions['stream']): LogOptions['stream'] & Disposable {
  let lines = '';
  const flush = () => {
    const text = lines;
    lines = '';
    if (text !== '') stream.write(text);
  };
  process.on('exit', flush);
  return {
    write(line) {
      if (lines === '') setImmediate(flush);
      lines += line;
      if (lines.length >= MAX_BATCH) flush();
    },
    [Symbol.dispose]() {
      flush();
      process.off('exit', flush);
    },
  };
}

/** Too much for one line: what names the event stays, the rest is cut. */
function toLine(entry: LogFields): string {
  const whole = JSON.stringify(redact(entry));
  if (Buffer.byteLength(whole) <= MAX_LINE) return whole;
  const { time, level, event, request_id, code } = redact(entry) as LogFields;
  // A character takes at most six bytes once it is escaped a second time.
  return JSON.stringify({ time, level, event, request_id, code, cut: whole.slice(0, MAX_LINE / 8) });
}
