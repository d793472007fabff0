import { type Box, boxesBelow, HINT, linkDensity } from './box.ts';

/** Parts of a page that are hardly ever its content. */
export const JUNK =
  HINT.navigation | HINT.footer | HINT.sidebar | HINT.social | HINT.related | HINT.signup | HINT.consent | HINT.advert |
  HINT.overlay | HINT.comments | HINT.filters; // biome-ignore format: a list
const JUNK_TAGS = new Set(['nav', 'footer', 'aside', 'menu', 'form']);

const PROSE = 80;

/**
 * Gives every box the worth of its text: running prose counts for, link lists and the page's furniture count against.
 * The best root is then simply the box with the highest sum: what is left outside would lower it.
 */
export function scoreBoxes(root: Box): void {
  const boxes = [...boxesBelow(root)];
  for (let index = boxes.length - 1; index >= 0; index--) {
    const box = boxes[index]!;
    box.score += ownScore(box);
    if (box.block && box.own >= PROSE && box.ownLinked < box.own * 0.5) box.prose += box.own - box.ownLinked;
    if (isJunk(box)) {
      box.score = -Math.abs(box.score) * 0.5 - box.linked * 0.2;
      box.prose *= 0.1;
    }
    if (box.parent !== undefined) {
      box.parent.score += box.score;
      box.parent.prose += box.prose;
    }
  }
}

export function isJunk(box: Box): boolean {
  if (!box.block) return false;
  if (JUNK_TAGS.has(box.tag)) return true;
  return (box.hints & JUNK) !== 0 && (box.hints & HINT.body) === 0 && box.tag !== 'article' && box.tag !== 'main';
}

function ownScore(box: Box): number {
  if (!box.block || box.own === 0) return 0;
  const plain = box.own - box.ownLinked;
  if (box.tag === 'pre') return plain;
  if (box.own < 25) return plain * 0.2 - box.ownLinked;
  if (box.own < PROSE) return plain * 0.5 - box.ownLinked * 0.8;
  return plain - box.ownLinked * 0.6;
}

export function bestRoot(root: Box): Box {
  let best = root;
  for (const box of boxesBelow(root)) if (box.block && box.score >= best.score) best = box;
  return best;
}

export { linkDensity };
