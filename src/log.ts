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

const RANKS = { debug: 0, info: 1, warn: 2, error: 3, silent: 4 };

export function createLog({ level, stream }: LogOptions, bound: LogFields = {}): Log {
  const line = (of: LogLevel) => (event: string, fields?: LogFields) => {
    if (RANKS[of] < RANKS[level]) return;
    const entry = { time: new Date().toISOString(), level: of, event, ...bound, ...fields };
    stream.write(`${JSON.stringify(redact(entry))}\n`);
  };
  return {
    debug: line('debug'),
    info: line('info'),
    warn: line('warn'),
    error: line('error'),
    child: (fields) => createLog({ level, stream }, { ...bound, ...fields }),
  };
}
