import type { Document } from '../dom.ts';
import type { Matcher } from '../selectors.ts';
import type { PageKind } from '../types.ts';
import { type Box, buildBoxes } from './box.ts';
import { findGroups, isCardGroup } from './groups.ts';
import { detectKind } from './kind.ts';
import { findLead } from './lead.ts';
import { POLICIES, type Policy } from './policy.ts';
import { prune } from './prune.ts';
import { bestRoot, namedRoot, wideRoot } from './root.ts';
import { scoreBoxes } from './score.ts';
import { NO_SIGNALS, type PageSignals } from './signals.ts';

export interface MainContent {
  root: Box;
  kind: PageKind;
}

export interface SelectOptions {
  onlyMainContent?: boolean;
  include?: Matcher;
  exclude?: Matcher;
  signals?: PageSignals;
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
  return selectByKind(page, options);
}

function selectByKind(page: Box, { signals = NO_SIGNALS, title = '' }: SelectOptions): MainContent {
  scoreBoxes(page);
  const best = bestRoot(page);
  const text = namedRoot(best) ?? best;
  const groups = findGroups(page);
  const kind = detectKind(page, text, groups, signals);
  const policy = POLICIES[kind];
  if (policy.spared !== 0) scoreBoxes(page, policy.spared);
  const root = chooseRoot(page, policy);
  const lead = policy.narrow ? findLead(page, root) : [];
  prune(root, policy, title, cardsOf(kind, page));
  return { root: withLead(root, lead), kind };
}

function chooseRoot(page: Box, policy: Policy): Box {
  if (policy.root === 'wide') return wideRoot(page);
  const best = bestRoot(page);
  return policy.narrow ? (namedRoot(best) ?? best) : best;
}

/** The items that make up a list page. */
function cardsOf(kind: PageKind, page: Box): ReadonlySet<Box> {
  const cards = new Set<Box>();
  if (kind === 'listing' || kind === 'collection')
    for (const group of findGroups(page)) if (isCardGroup(group)) for (const item of group.items) cards.add(item);
  return cards;
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
