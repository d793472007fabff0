import { collapseInline } from '../render/text.ts';
import { type Box, HINT, linkDensity, PROSE } from './box.ts';
import { isByline, isCall, isNoise } from './lines.ts';

/** Takes out of a root what is not its content. */
export function prune(root: Box, title: string): void {
  visit(root, root);
  trimLead(root, title);
  dropLines(root);
  dropEmptyHeadings(root);
}

/** The parser bounds the depth of a tree, so this may recurse. */
function visit(box: Box, root: Box): void {
  for (const child of box.children) {
    if (typeof child === 'string') continue;
    if (isWaste(child, root)) child.removed = true;
    else {
      if (isCaption(child)) child.caption = true;
      visit(child, root);
    }
  }
}

const LISTS = new Set(['ul', 'ol', 'dl', 'table']);

function isWaste(box: Box, root: Box): boolean {
  if (!box.block) return false;
  if (box.prose > root.prose * 0.5) return false;
  if (box.junk) return true;
  if ((box.hints & (HINT.byline | HINT.author)) !== 0 && box.text < 300 && box.tag !== 'p') return true;
  if ((box.hints & HINT.tags) !== 0 && box.text < 300 && box.linked > box.text * 0.3) return true;
  const density = linkDensity(box);
  if (LISTS.has(box.tag)) return density > 0.7 && box.text > 0;
  return density > 0.8 && box.text > 0;
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
  if (box.text === 0 || box.text > 300) return false;
  const line = lineOf(box);
  return line === title || isByline(line);
}

/** Lines that say themselves that they are not content. */
function dropLines(box: Box): void {
  for (const child of box.children) {
    if (typeof child === 'string' || child.removed || !child.block) continue;
    if (child.tag === 'pre' || child.tag === 'table' || child.tag === 'blockquote') continue;
    if (child.text > 0 && child.text <= 400 && isDropped(child)) child.removed = true;
    else dropLines(child);
  }
}

function isDropped(box: Box): boolean {
  const line = lineOf(box);
  return isNoise(line) || (box.tag !== 'li' && isCall(line));
}

function lineOf(box: Box): string {
  return collapseInline(innerText(box)).trim();
}

function innerText(box: Box): string {
  let text = '';
  for (const child of box.children) {
    if (typeof child === 'string') text += child;
    else if (!child.removed) text += child.block ? ` ${innerText(child)} ` : innerText(child);
  }
  return text;
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
