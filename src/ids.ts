import { randomFillSync } from 'node:crypto';

const pool = Buffer.alloc(4096);
let used = pool.length;
let lastMs = 0;
let sequence = 0;

/** A UUIDv7: time first, then a counter that keeps ids of one process in order, then random bits. */
export function newId(): string {
  if (used + 8 > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const now = Date.now();
  if (now > lastMs) {
    lastMs = now;
    sequence = pool.readUInt16BE(used) & 0x7ff;
  } else if (++sequence > 0xfff) {
    lastMs++;
    sequence = 0;
  }
  const time = lastMs.toString(16).padStart(12, '0');
  const random = pool.toString('hex', used, used + 8);
  used += 8;
  const variant = ((Number.parseInt(random[0]!, 16) & 0x3) | 0x8).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${sequence.toString(16).padStart(3, '0')}-${variant}${random.slice(1, 4)}-${random.slice(4)}`;
}
