import { allBelow, type Box, HINT, PROSE } from './box.ts';
import { speaksOfCookies } from './lines.ts';

/** Names that are hardly ever wrong about a part, and names that layouts also use for what they wrap. */
const SURE = HINT.navigation | HINT.footer | HINT.consent | HINT.comments;
const LIKELY =
  HINT.sidebar | HINT.social | HINT.related | HINT.signup | HINT.advert | HINT.overlay | HINT.filters | HINT.toc;
const JUNK_TAGS = new Set(['nav', 'footer', 'aside', 'menu']);
/** Never judged by their class names: their text is written by an author. */
const SPARED = new Set(['body', 'html', 'main', 'article', 'blockquote', 'pre', 'code', 'table', 'h1', 'figure']);

/** How much of a page's prose furniture may hold; what holds more is wrapped by a badly named element. */
const MAX_SURE = 0.7;
const MAX_LIKELY = 0.5;
/** Comments may be longer than what they are about, as long as there is something they are about. */
const MAX_COMMENTS = 0.95;
const MIN_COMMENTED = 300;

/** A kind of name that would take this much of the prose away is ignored on this page. */
const MAX_TAKEN = 0.4;

/**
 * Separates boilerplate from content, then scores the text of every box: running prose counts for, link lists and
 * boilerplate count against. The best root is then simply the box with the highest sum: what is left outside would
 * lower it. Names in `spared` do not lower a box's score, those in `extra` do.
 */
export function scoreBoxes(page: Box, spared = 0, extra = 0): void {
  const boxes = allBelow(page);
  markJunk(page, boxes, spared, extra);
  for (const box of boxes) box.score = box.shown = box.plain = box.prose = 0;
  for (let index = boxes.length - 1; index >= 0; index--) {
    const box = boxes[index]!;
    if (box.block && box.own > 0) {
      const own = ownScore(box);
      if (box.junk) box.score -= Math.abs(own) * 0.3;
      else {
        box.score += own;
        box.shown += box.own;
        box.plain += box.own - box.ownLinked * 2;
        if (box.own >= PROSE && box.ownLinked < box.own * 0.5) box.prose += box.own - box.ownLinked;
      }
    }
    const { parent } = box;
    if (parent !== undefined) {
      parent.score += box.score;
      parent.shown += box.shown;
      parent.plain += box.plain;
      parent.prose += box.prose;
    }
  }
}

function ownScore(box: Box): number {
  const plain = box.own - box.ownLinked;
  if (box.tag === 'pre') return plain;
  if (box.own < 25) return plain * 0.2 - box.ownLinked;
  if (box.own < PROSE) return plain * 0.5 - box.ownLinked * 0.8;
  return plain - box.ownLinked * 0.6;
}

function markJunk(page: Box, boxes: readonly Box[], spared: number, extra: number): void {
  const sure = (SURE & ~spared) | extra;
  const likely = believedNames(boxes, page, sure, LIKELY & ~spared);
  for (const box of boxes) box.junk = box.parent?.junk === true || isJunk(box, page, sure, likely);
}

/** The likely names, less those that this site's layout uses for its content. */
function believedNames(boxes: readonly Box[], page: Box, sure: number, likely: number): number {
  const taken = new Map<number, number>();
  for (const box of boxes) {
    if (box.rawProse === 0 || (box.hints & likely) === 0 || !isJunk(box, page, sure, likely)) continue;
    if (box.parent !== undefined && (box.parent.hints & box.hints & likely) !== 0) continue;
    for (let bits = box.hints & likely; bits !== 0; bits &= bits - 1) {
      const bit = bits & -bits;
      taken.set(bit, (taken.get(bit) ?? 0) + box.rawProse);
    }
  }
  let believed = likely;
  for (const [bit, prose] of taken) if (prose > page.rawProse * MAX_TAKEN) believed &= ~bit;
  return believed;
}

function isJunk(box: Box, page: Box, sure: number, likely: number): boolean {
  if (!box.block || SPARED.has(box.tag) || box.holdsMain) return false;
  if (box.cookies && box.own >= 40 && speaksOfCookies(box)) return true;
  const { hints } = box;
  if (box.quotes > 0 && (hints & sure) === 0 && (hints & likely) === HINT.social) return false;
  const share = page.rawProse === 0 ? box.text / (page.text + 1) : box.rawProse / page.rawProse;
  if ((hints & sure & HINT.comments) !== 0 && page.rawProse - box.rawProse >= MIN_COMMENTED)
    return share <= MAX_COMMENTS;
  if (JUNK_TAGS.has(box.tag) || (hints & sure) !== 0) return share <= MAX_SURE;
  if (box.tag === 'form' || ((hints & likely) !== 0 && (hints & HINT.body) === 0)) return share <= MAX_LIKELY;
  return false;
}
