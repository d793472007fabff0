import { LRUCache } from 'lru-cache';

const TTL_MS = 5_000;
const MAX_BYTES = 16 * 1024 * 1024;
/** Longer answers are made anew each time. */
const MAX_ANSWER = 256 * 1024;
/** Looks under way at once: one more waits, and serves more requests for it. */
const MAX_LOOKS = 1;

export interface Made {
  text: string;
  /** False: another request may get another answer although nothing changed. */
  keep: boolean;
}

interface Kept {
  bytes: Buffer;
  version: string;
  until: number;
}

export interface KeptAnswers {
  /** The answer to the request `key` stands for; `make` is called unless one that still holds is there, or without a key. */
  answer(key: string | undefined, make: () => Promise<Made>): Promise<Buffer>;
}

export interface KeptAnswersOptions {
  /** Names the state of everything answers depend on. Equal names mean that nothing changed in between. */
  version(): Promise<string>;
  now?: () => number;
}

/**
 * Answers that are made once for all who ask the same while nothing changes.
 *
 * No request gets an answer older than itself: it first learns the version of the data, by a look that began after it
 * arrived, and takes only what was made of that version. One look serves all requests that arrived before it began,
 * whatever they ask for; requests of one version that ask the same wait for one `make`. So a busy server looks once for
 * many requests, and a server whose data changes all the time still makes each answer once per look.
 */
export function createKeptAnswers({ version, now = () => performance.now() }: KeptAnswersOptions): KeptAnswers {
  const kept = new LRUCache<string, Kept>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ bytes }, key) => bytes.length + key.length * 2 + 200,
  });
  const making = new Map<string, Promise<Buffer>>();
  /** The look that has not begun: requests that arrive now wait for it. */
  let next: Promise<string> | undefined;
  let looking = 0;
  let beginNext: (() => void) | undefined;

  async function look(): Promise<string> {
    looking++;
    try {
      return await version();
    } finally {
      looking--;
      beginNext?.();
    }
  }

  /** It begins when all that has arrived in this turn of the event loop was read, and a place is free. */
  function nextLook(): Promise<string> {
    next ??= new Promise<string>((resolve) => {
      const begin = () => {
        beginNext = undefined;
        next = undefined;
        resolve(look());
      };
      setImmediate(() => {
        if (looking < MAX_LOOKS) begin();
        else beginNext = begin;
      });
    });
    return next;
  }

  async function makeOnce(key: string, seen: string, make: () => Promise<Made>): Promise<Buffer> {
    const { text, keep } = await make();
    // Encoded once: all who wait for it are sent the same bytes.
    const bytes = Buffer.from(text);
    // What was committed meanwhile may be in it: then `seen` is over, and it is not found again.
    if (keep && bytes.length <= MAX_ANSWER) kept.set(key, { bytes, version: seen, until: now() + TTL_MS });
    return bytes;
  }

  return {
    async answer(key, make) {
      if (key === undefined) return Buffer.from((await make()).text);
      const seen = await nextLook();
      const held = kept.get(key);
      if (held !== undefined && held.version === seen && held.until > now()) return held.bytes;
      const name = `${seen} ${key}`;
      let made = making.get(name);
      if (made === undefined) {
        made = makeOnce(key, seen, make).finally(() => making.delete(name));
        making.set(name, made);
      }
      return made;
    },
  };
}
