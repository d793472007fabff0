import { allBelow, type Box } from './box.ts';

/** Boxes of one shape in a row: cards, posts, results. */
export interface Group {
  parent: Box;
  items: Box[];
  text: number;
  linked: number;
  prose: number;
  longest: number;
}

const MIN_ITEMS = 3;
const SKIPPED = new Set([
  'p',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'br',
  'hr',
  'td',
  'th',
  'dt',
  'dd',
  'pre',
  'blockquote',
  'figure',
  'option',
]);

/** The groups of a page, outermost first. Furniture has none. */
export function findGroups(page: Box): Group[] {
  const groups: Group[] = [];
  for (const parent of allBelow(page)) {
    if (parent.junk || !parent.block || parent.children.length < MIN_ITEMS) continue;
    const byShape = new Map<string, Box[]>();
    for (const child of parent.children) {
      if (typeof child === 'string' || child.removed || child.junk || !child.block || child.shown === 0) continue;
      if (SKIPPED.has(child.tag)) continue;
      const shape = shapeOf(child);
      const known = byShape.get(shape);
      if (known === undefined) byShape.set(shape, [child]);
      else known.push(child);
    }
    for (const items of byShape.values()) if (items.length >= MIN_ITEMS) groups.push(toGroup(parent, items));
  }
  return groups;
}

/** Tag and first class word: the rest often says only odd, even, first, sold out. */
function shapeOf(box: Box): string {
  const first = /^\s*([A-Za-z_-]+)/.exec(box.element.attribs.class ?? '')?.[1] ?? '';
  return `${box.tag}.${first}`;
}

function toGroup(parent: Box, items: Box[]): Group {
  const group: Group = { parent, items, text: 0, linked: 0, prose: 0, longest: 0 };
  for (const item of items) {
    group.text += item.shown;
    group.longest = Math.max(group.longest, item.shown);
    group.linked += item.linked;
    group.prose += item.prose;
  }
  return group;
}

/** Short items that each lead to a page of their own, with more to say than a menu's. */
export function isCardGroup({ items, text, longest }: Group): boolean {
  // Columns of a page are not cards: one of them holds nearly all.
  if (longest > text * 0.6) return false;
  let leading = 0;
  let rich = 0;
  for (const item of items) {
    if (item.linked > 0 || item.tag === 'a') leading++;
    if (item.images > 0 || item.headings > 0 || item.text >= 30) rich++;
  }
  const average = text / items.length;
  return leading >= items.length * 0.7 && rich >= items.length * 0.6 && average >= 15 && average <= 900;
}
