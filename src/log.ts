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

/** Too much for one line: what names the event stays, the rest is cut. */
function toLine(entry: LogFields): string {
  const whole = JSON.stringify(redact(entry));
  if (Buffer.byteLength(whole) <= MAX_LINE) return whole;
  const { time, level, event, request_id, code } = redact(entry) as LogFields;
  // A character takes at most six bytes once it is escaped a second time.
  return JSON.stringify({ time, level, event, request_id, code, cut: whole.slice(0, MAX_LINE / 8) });
}
