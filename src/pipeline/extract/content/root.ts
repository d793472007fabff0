import { allBelow, type Box, HINT, isWithin } from './box.ts';

/** A paragraph or an item is content, never the place that holds it. */
const NO_ROOTS = new Set(['p', 'li', 'blockquote', 'pre', 'a', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'figure', 'ul', 'ol', 'tr']); // biome-ignore format: a list

const canHold = (box: Box): boolean => box.block && !box.junk && !NO_ROOTS.has(box.tag);

/** The box worth most; of equals the innermost. */
export function bestRoot(page: Box): Box {
  let best = page;
  for (const box of allBelow(page)) if (canHold(box) && box.score >= best.score) best = box;
  return best.prose < page.prose * 0.3 || best.score < 150 ? plainRoot(page) : best;
}

/** For pages without running prose: where most of the text is that is not linked. */
function plainRoot(page: Box): Box {
  let best = page;
  for (const box of allBelow(page)) if (canHold(box) && box.plain >= best.plain) best = box;
  return best;
}

const MIN_NAMED_SHARE = 0.4;

/** A part of the best root that is named as the text, if it holds most of it and is the only such part. */
export function namedRoot(best: Box): Box | undefined {
  const levels: Box[][] = [[], [], []];
  for (const box of allBelow(best)) {
    if (!canHold(box)) continue;
    const level = nameLevel(box);
    if (level !== undefined) levels[level]!.push(box);
  }
  for (const boxes of levels) {
    let top: Box | undefined;
    for (const box of boxes) if (top === undefined || box.score >= top.score) top = box;
    if (top === undefined || top.score < best.score * MIN_NAMED_SHARE) continue;
    let others = 0;
    for (const box of boxes) if (!isWithin(box, top) && !isWithin(top, box) && box.score > 0) others += box.score;
    if (others < top.score * 0.5) return top;
  }
  return undefined;
}

function nameLevel(box: Box): number | undefined {
  if (box.element.attribs.itemprop === 'articleBody') return 0;
  if ((box.hints & HINT.body) !== 0 && box.tag !== 'body') return 1;
  if (box.tag === 'article' || box.tag === 'main' || box.element.attribs.role === 'main') return 2;
  return undefined;
}

const MIN_MAIN_SHARE = 0.5;

/** The whole of a page's content: its main part where it marks one, widened to take the headline in. */
export function wideRoot(page: Box): Box {
  let root = page;
  for (const box of allBelow(page)) {
    if (!canHold(box) || box.shown < page.shown * MIN_MAIN_SHARE) continue;
    const { role, id } = box.element.attribs;
    if (box.tag === 'main' || role === 'main' || id === 'main' || id === 'content' || id === 'main-content') root = box;
  }
  const heading = page.page.find((box) => box.tag === 'h1' && !box.junk && box.text > 0);
  while (heading !== undefined && root.parent !== undefined && !isWithin(heading, root)) root = root.parent;
  return root;
}
