import { type Box, boxesBelow, HINT, PROSE } from './box.ts';

/** Names that are hardly ever wrong about a part, and names that layouts also use for what they wrap. */
const SURE = HINT.navigation | HINT.footer | HINT.consent | HINT.comments;
const LIKELY =
  HINT.sidebar | HINT.social | HINT.related | HINT.signup | HINT.advert | HINT.overlay | HINT.filters | HINT.toc;
const JUNK_TAGS = new Set(['nav', 'footer', 'aside', 'menu']);
/** Never judged by their names: their text is somebody's words. */
const SPARED = new Set(['body', 'html', 'main', 'article', 'blockquote', 'pre', 'code', 'table', 'h1', 'figure']);

/** How much of a page's prose furniture may hold; what holds more is wrapped by a badly named element. */
const MAX_SURE = 0.7;
const MAX_LIKELY = 0.5;

/** A kind of name that would take this much of the prose away is not believed on this page. */
const MAX_TAKEN = 0.4;

/**
 * Gives every box the worth of its text: running prose counts for, link lists and the page's furniture count against.
 * The best root is then simply the box with the highest sum: what is left outside would lower it.
 */
export function scoreBoxes(page: Box): void {
  const boxes = [...boxesBelow(page)];
  const likely = believedNames(boxes, page);
  for (const box of boxes) box.junk = box.parent?.junk === true || isJunk(box, page, likely);
  for (let index = boxes.length - 1; index >= 0; index--) {
    const box = boxes[index]!;
    const own = ownScore(box);
    box.score += box.junk ? -Math.abs(own) * 0.3 : own;
    if (!box.junk && box.block) {
      box.plain += box.own - box.ownLinked * 2;
      if (box.own >= PROSE && box.ownLinked < box.own * 0.5) box.prose += box.own - box.ownLinked;
    }
    if (box.parent !== undefined) {
      box.parent.score += box.score;
      box.parent.plain += box.plain;
      box.parent.prose += box.prose;
    }
  }
}

/** The likely names, less those that this site's layout uses for its content. */
function believedNames(boxes: readonly Box[], page: Box): number {
  const taken = new Map<number, number>();
  for (const box of boxes) {
    if (box.rawProse === 0 || (box.hints & LIKELY) === 0 || !isJunk(box, page, LIKELY)) continue;
    if (box.parent !== undefined && (box.parent.hints & box.hints & LIKELY) !== 0) continue;
    for (let bits = box.hints & LIKELY; bits !== 0; bits &= bits - 1) {
      const bit = bits & -bits;
      taken.set(bit, (taken.get(bit) ?? 0) + box.rawProse);
    }
  }
  let believed = LIKELY;
  for (const [bit, prose] of taken) if (prose > page.rawProse * MAX_TAKEN) believed &= ~bit;
  return believed;
}

function isJunk(box: Box, page: Box, likely: number): boolean {
  if (!box.block || SPARED.has(box.tag) || box.holdsMain) return false;
  if (box.quotes > 0 && (box.hints & SURE) === 0 && (box.hints & LIKELY) === HINT.social) return false;
  const share = page.rawProse === 0 ? box.text / (page.text + 1) : box.rawProse / page.rawProse;
  if (JUNK_TAGS.has(box.tag) || (box.hints & SURE) !== 0) return share <= MAX_SURE;
  if (box.tag === 'form' || ((box.hints & likely) !== 0 && (box.hints & HINT.body) === 0)) return share <= MAX_LIKELY;
  return false;
}

function ownScore(box: Box): number {
  if (!box.block || box.own === 0) return 0;
  const plain = box.own - box.ownLinked;
  if (box.tag === 'pre') return plain;
  if (box.own < 25) return plain * 0.2 - box.ownLinked;
  if (box.own < PROSE) return plain * 0.5 - box.ownLinked * 0.8;
  return plain - box.ownLinked * 0.6;
}

/** The box worth most; of equals the innermost. A part that is named as the text is taken if it holds most of that. */
export function bestRoot(page: Box): Box {
  let best = page;
  for (const box of boxesBelow(page)) if (canHold(box) && box.score >= best.score) best = box;
  if (best.prose < page.prose * 0.3 || best.score < 150) best = plainRoot(page);
  return namedBody(best) ?? best;
}

/** For pages without running prose: where most of the text is that is not linked. */
function plainRoot(page: Box): Box {
  let best = page;
  for (const box of boxesBelow(page)) if (canHold(box) && box.plain >= best.plain) best = box;
  return best;
}

/** A paragraph or an item is content, never the place that holds it. */
const NO_ROOTS = new Set([
  'p',
  'li',
  'blockquote',
  'pre',
  'a',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'figure',
  'ul',
  'ol',
  'tr',
]);

const canHold = (box: Box): boolean => box.block && !box.junk && !NO_ROOTS.has(box.tag);

const MIN_NAMED_SHARE = 0.4;

function namedBody(best: Box): Box | undefined {
  const levels: Box[][] = [[], [], []];
  for (const box of boxesBelow(best)) {
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

function isWithin(box: Box, outer: Box): boolean {
  for (let up: Box | undefined = box; up !== undefined; up = up.parent) if (up === outer) return true;
  return false;
}
