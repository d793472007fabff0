import { type Box, boxesBelow, HINT, linkDensity, PROSE } from './box.ts';
import { isByline, isCall, isMoreLink, isNoise, isPostLine, isRelatedTitle, lineOf } from './lines.ts';
import type { Policy } from './policy.ts';

/** Takes out of a root what is not its content. `cards` are kept although they are mostly links. */
export function prune(root: Box, policy: Policy, title: string, cards: ReadonlySet<Box>): void {
  if (policy.dropCards) for (const card of cards) card.removed = true;
  visit(root, { root, policy, cards });
  if (policy.dropTop) trimLead(root, title);
  if (policy.dropCalls) dropRelated(root);
  dropLines(root, policy);
  if (policy.dropRepeats) dropRepeats(root);
  dropEmptyHeadings(root);
}

interface Pruning {
  root: Box;
  policy: Policy;
  cards: ReadonlySet<Box>;
}

/** The parser bounds the depth of a tree, so this may recurse. */
function visit(box: Box, pruning: Pruning): void {
  for (const child of box.children) {
    if (typeof child === 'string') continue;
    if (isWaste(child, pruning)) child.removed = true;
    else {
      if (pruning.policy.dropCaptions && isCaption(child)) child.caption = true;
      if (!pruning.cards.has(child)) visit(child, pruning);
    }
  }
}

const LISTS = new Set(['ul', 'ol', 'dl', 'table']);
const HEADINGS = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6']);

function isWaste(box: Box, { root, policy, cards }: Pruning): boolean {
  if (!box.block || box.text === 0 || cards.has(box)) return false;
  if (box.prose > root.prose * 0.5 && root.prose > 0) return false;
  if (box.junk) return true;
  if (policy.dropTop && isAboutText(box)) return true;
  if (
    policy.dropUsers &&
    (box.hints & (HINT.user | HINT.byline | HINT.author)) !== 0 &&
    box.text < 400 &&
    box.rawProse < 100
  )
    return true;
  if (policy.root === 'wide' && isSiteHeader(box)) return true;
  if (LISTS.has(box.tag) && box.anchored > box.text * 0.8) return true;
  if (policy.dropLinks === 'none') return false;
  const density = linkDensity(box);
  if (policy.dropLinks === 'all') return density > (LISTS.has(box.tag) ? 0.7 : 0.8);
  return isMenu(box, density);
}

/** The bar over every page of a site; one with a heading may be the top of this page. */
function isSiteHeader(box: Box): boolean {
  return (box.tag === 'header' || (box.hints & HINT.header) !== 0) && box.headings === 0 && box.rawProse === 0;
}

/** Tags, bylines and author boxes by name. */
function isAboutText(box: Box): boolean {
  if (box.text >= 300 || box.tag === 'p') return false;
  if ((box.hints & (HINT.byline | HINT.author)) !== 0) return true;
  return (box.hints & HINT.tags) !== 0 && box.linked > box.text * 0.3;
}

/** Nothing but short links: a way to other pages, or a button. */
function isMenu(box: Box, density: number): boolean {
  if (density < 0.8 || box.images > 0 || HEADINGS.has(box.tag)) return false;
  if (LISTS.has(box.tag)) {
    const items = box.children.filter((child) => typeof child !== 'string').length;
    return items > 0 && box.text / items < 40;
  }
  return box.own === box.text && box.text < 40;
}

function isCaption(box: Box): boolean {
  if (box.tag === 'figcaption') return true;
  if (box.tag === 'figure') return box.text > 0 && !holdsText(box);
  if ((box.hints & HINT.caption) !== 0 && box.text < 600) return true;
  return PICTURES.has(box.tag) && box.images > 0 && box.text > 0 && box.text < 250 && box.headings === 0;
}

/** A picture with a line of text under it, in a part of its own. */
const PICTURES = new Set(['div', 'span', 'p', 'center', 'aside', 'picture', 'section']);

/** Code, tables and quotes may stand in a figure; they are not its caption. */
function holdsText(box: Box): boolean {
  return box.children.some(
    (child) =>
      typeof child !== 'string' &&
      (child.tag === 'pre' || child.tag === 'table' || child.tag === 'blockquote' || holdsText(child)),
  );
}

/** How many paragraphs may stand before the last of headline, byline and date: a summary often does. */
const LEAD_PARAGRAPHS = 2;

/** The headline, byline and date stand before the first paragraphs; the page's metadata hold them already. */
function trimLead(root: Box, title: string): void {
  let paragraphs = 0;
  const walk = (box: Box): void => {
    for (const child of box.children) {
      if (paragraphs > LEAD_PARAGRAPHS) return;
      if (typeof child === 'string' || child.removed || child.caption || !child.block) continue;
      if (child.tag === 'h1' || isLeadWaste(child, title)) child.removed = true;
      else if (child.own >= PROSE) paragraphs++;
      else walk(child);
    }
  };
  walk(root);
}

function isLeadWaste(box: Box, title: string): boolean {
  if (box.rawProse > 0) return false;
  if (box.tag === 'header' || box.tag === 'address') return true;
  if ((box.hints & (HINT.byline | HINT.author | HINT.social | HINT.header)) !== 0) return true;
  if (!isLine(box) || box.text > 300) return false;
  const line = lineOf(box);
  return line === title || isByline(line);
}

/** A title that promises other texts, and the links that follow it. */
function dropRelated(box: Box): void {
  let title: Box | undefined;
  for (const child of box.children) {
    if (typeof child === 'string' || child.removed || !child.block) continue;
    if (title !== undefined && child.text > 0) {
      if (linkDensity(child) > 0.3 && child.rawProse < 200) title.removed = child.removed = true;
      title = undefined;
      if (child.removed) continue;
    }
    if (child.text <= 80 && isLine(child) && child.tag !== 'tr' && isRelatedTitle(lineOf(child))) title = child;
    else dropRelated(child);
  }
}

/** Lines that say themselves that they are not content. */
function dropLines(box: Box, policy: Policy): void {
  let mixed: boolean | undefined;
  for (const child of box.children) {
    if (typeof child === 'string' || child.removed) continue;
    if (!child.block) {
      // A link between blocks stands on a line of its own: a button.
      if (child.tag !== 'a' || !isLine(child) || child.text > 120) continue;
      mixed ??= box.children.some((other) => typeof other !== 'string' && other.block);
      const line = lineOf(child);
      if ((mixed && isNoise(line)) || (isLast(child, box) && isMoreLink(line))) {
        child.removed = true;
        box.line = undefined;
      }
    } else if (child.tag !== 'pre' && child.tag !== 'blockquote' && (child.tag !== 'table' || policy.dropUsers)) {
      if (isLine(child) && !isWrapper(child) && isDropped(child, policy)) child.removed = true;
      else dropLines(child, policy);
    }
  }
}

function isLast(child: Box, parent: Box): boolean {
  for (let index = parent.children.length - 1; index >= 0; index--) {
    const other = parent.children[index]!;
    if (other === child) return true;
    if (typeof other !== 'string' || other.trim() !== '') return false;
  }
  return false;
}

/** Small enough to be one line, in text and in elements: deep nests would be read again at every level. */
const isLine = (box: Box): boolean => box.text > 0 && box.text <= 400 && box.end - box.index <= 40;

/** Around one paragraph and nothing else: that is judged in its place. */
function isWrapper(box: Box): boolean {
  if (box.own > 0) return false;
  const child = box.children.find((each) => typeof each !== 'string' && each.text > 0) as Box | undefined;
  return child?.tag === 'p' && child.text === box.text;
}

function isDropped(box: Box, policy: Policy): boolean {
  const line = lineOf(box);
  if (policy.dropUsers && box.own === box.text && isPostLine(line)) return true;
  if (isNoise(line)) return policy.dropCalls || (!HEADINGS.has(box.tag) && box.headings === 0);
  return policy.dropCalls && box.tag !== 'li' && isCall(line);
}

const MIN_REPEAT = 25;

function dropRepeats(root: Box): void {
  const seen = new Set<string>();
  for (const box of boxesBelow(root)) {
    if (!box.block || box.own !== box.text || (box.own < MIN_REPEAT && !HEADINGS.has(box.tag))) continue;
    const line = lineOf(box);
    if (line === '') continue;
    if (seen.has(line)) box.removed = true;
    else seen.add(line);
  }
}

const LEVELS: Record<string, number> = { h1: 1, h2: 2, h3: 3, h4: 4, h5: 5, h6: 6 };

/** A heading whose part was taken out goes as well: nothing follows before the next of its rank, or the end. */
function dropEmptyHeadings(root: Box): void {
  let open: Box[] = [];
  const walk = (box: Box): void => {
    for (const child of box.children) {
      if (typeof child === 'string') {
        if (open.length > 0 && child.trim() !== '') open = [];
      } else if (child.removed || child.caption) continue;
      else if (LEVELS[child.tag] !== undefined) {
        while (open.length > 0 && LEVELS[open.at(-1)!.tag]! >= LEVELS[child.tag]!) open.pop()!.removed = true;
        open.push(child);
      } else walk(child);
    }
  };
  walk(root);
  for (const heading of open) heading.removed = true;
}
