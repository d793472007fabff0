import { type Box, boxesBelow } from './content/box.ts';
import { lineOf } from './content/lines.ts';

const MIN_BLOCK = 20;
const MAX_BLOCKS = 500;
const MAX_HASHED = 100;
/** What must be left of a page when its boilerplate goes: characters, and share of what was there. */
const MIN_LEFT = 200;
const MIN_LEFT_SHARE = 0.3;

/** The text blocks of a page with their hashes. Digits are left out, so that dates and counters do not hide a repeat. */
export function hashBlocks(root: Box): Map<Box, string> {
  const hashes = new Map<Box, string>();
  for (const box of boxesBelow(root)) {
    if (!isTextBlock(box)) continue;
    hashes.set(box, hashBlock(box));
    if (hashes.size >= MAX_BLOCKS) break;
  }
  return hashes;
}

/** Takes blocks out that repeat over the site, unless the page would have little else. */
export function removeBoilerplate(root: Box, blocks: ReadonlyMap<Box, string>, boilerplate: readonly string[]): void {
  const known = new Set(boilerplate);
  const found: Box[] = [];
  let repeated = 0;
  for (const [box, hash] of blocks) {
    if (!known.has(hash)) continue;
    found.push(box);
    repeated += box.own;
  }
  if (found.length === 0) return;
  let total = 0;
  for (const box of boxesBelow(root)) if (box.block) total += box.own;
  const left = total - repeated;
  if (left < MIN_LEFT || left < total * MIN_LEFT_SHARE) return;
  for (const box of found) box.removed = true;
}

/** A block of inline text and nothing else; code repeats for good reasons. */
const isTextBlock = (box: Box): boolean =>
  box.block && box.own >= MIN_BLOCK && box.own === box.text && box.tag !== 'pre';

/** Over its first letters, and its length where there are more: blocks that begin alike and are as long are the same. */
function hashBlock(box: Box): string {
  const line = lineOf(box);
  const end = Math.min(line.length, MAX_HASHED);
  let high = 0x811c9dc5 ^ (line.length > MAX_HASHED ? line.length : 0);
  let low = 0x1000193;
  for (let index = 0; index < end; index++) {
    const code = line.charCodeAt(index);
    // Whitespace, digits and ASCII punctuation up to 9.
    if (code <= 57) continue;
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ code, 0x85ebca6b) ^ (low >>> 15);
  }
  // Small integers, which are quick to write.
  return (high >>> 2).toString(36) + (low >>> 2).toString(36);
}
