import { Transform } from 'node:stream';
import { AppError } from '../errors.ts';

/** Counts what comes in over many streams together, and breaks them all when it is too much. */
export interface Meter {
  stream(): Transform;
  readonly exceeded: boolean;
}

export function createMeter(maxBytes: number): Meter {
  let bytes = 0;
  return {
    get exceeded() {
      return bytes > maxBytes;
    },
    stream() {
      return new Transform({
        transform(chunk: Buffer, _encoding, done) {
          bytes += chunk.length;
          if (bytes > maxBytes) done(new AppError('TOO_LARGE', `more than ${maxBytes} bytes came in`));
          else done(null, chunk);
        },
      });
    },
  };
}
