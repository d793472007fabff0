import { type Box, boxesBelow } from './content/box.ts';

const MIN_BLOCK = 20;
const MAX_BLOCKS = 500;

/** Hashes of a page's text blocks, once each. Digits are left out, so that dates and counters do not hide a repeat. */
export function hashBlocks(root: Box): string[] {
  const hashes = new Set<string>();
  for (const box of boxesBelow(root)) {
    if (!box.block || box.own < MIN_BLOCK) continue;
    hashes.add(hashBlock(box));
    if (hashes.size >= MAX_BLOCKS) break;
  }
  return [...hashes];
}

/** A 52-bit hash of the block's own inline text, letters only. */
export function hashBlock(box: Box): string {
  let high = 0x811c9dc5;
  let low = 0x1000193;
  const visit = (part: Box): void => {
    for (const child of part.children) {
      if (typeof child === 'string') {
        for (let index = 0; index < child.length; index++) {
          const code = child.charCodeAt(index);
          if (code <= 47 || (code >= 48 && code <= 57) || code === 160) continue;
          high = Math.imul(high ^ code, 0x01000193);
          low = Math.imul(low ^ code, 0x85ebca6b) ^ (low >>> 15);
        }
      } else if (!child.block) visit(child);
    }
  };
  visit(box);
  return (high >>> 0).toString(36) + ((low >>> 0) & 0xfffff).toString(36);
}
