import type { Document } from '../dom.ts';
import type { Matcher } from '../selectors.ts';
import type { PageKind } from '../types.ts';
import { type Box, buildBoxes } from './box.ts';
import { findLead } from './lead.ts';
import { prune } from './prune.ts';
import { bestRoot, scoreBoxes } from './score.ts';

export interface MainContent {
  root: Box;
  kind: PageKind;
}

export interface SelectOptions {
  onlyMainContent?: boolean;
  include?: Matcher;
  exclude?: Matcher;
  url?: string;
  title?: string;
}

/** Finds the part of a page people come for. Never empty where the page shows any text. */
export function selectMain(document: Document, options: SelectOptions = {}): MainContent {
  let page = buildBoxes(document, options);
  if (page.text === 0) page = buildBoxes(document, { ...options, keepHidden: true });
  if (options.include !== undefined) {
    const chosen = keepOnly(page, options.include);
    if (chosen !== undefined) return { root: chosen, kind: 'other' };
  }
  if (options.onlyMainContent === false) return { root: page, kind: 'other' };
  scoreBoxes(page);
  const root = bestRoot(page);
  const lead = findLead(page, root);
  prune(root, options.title ?? '');
  return { root: withLead(root, lead), kind: 'other' };
}

function withLead(root: Box, lead: Box[]): Box {
  if (lead.length === 0) return root;
  for (const box of lead) box.removed = false;
  return { ...root, tag: 'div', children: [...lead, root] };
}

/** The elements an include rule names, in order, outermost only; undefined when it names none. */
function keepOnly(page: Box, include: Matcher): Box | undefined {
  const chosen: Box[] = [];
  const visit = (box: Box): void => {
    for (const child of box.children) {
      if (typeof child === 'string') continue;
      if (include(child.element)) chosen.push(child);
      else visit(child);
    }
  };
  visit(page);
  return chosen.length === 0 ? undefined : { ...page, children: chosen };
}
