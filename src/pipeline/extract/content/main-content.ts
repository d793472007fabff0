import type { Document } from '../dom.ts';
import type { Matcher } from '../selectors.ts';
import type { PageKind } from '../types.ts';
import { type Box, buildBoxes } from './box.ts';
import { findGroups, isCardGroup } from './groups.ts';
import { detectKind } from './kind.ts';
import { findHeading, findLead } from './lead.ts';
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

/** Finds the main content of a page. Never empty where the page shows any text. */
export function selectMain(document: Document, options: SelectOptions = {}): MainContent {
  const page = buildBoxes(document, options);
  if (options.include !== undefined) {
    const chosen = keepOnly(page, options.include);
    if (chosen !== undefined) return { root: chosen, kind: 'other' };
  }
  if (options.onlyMainContent === false)
    return { root: page.text > 0 ? page : buildBoxes(document, { ...options, keepHidden: true }), kind: 'other' };
  const found = selectByKind(page, options);
  const length = keptLength(found.root);
  if (length < MIN_CONTENT) return { ...found, root: widen(document, options, found.root, length) };
  if (POLICIES[found.kind].root === 'text' || length > page.shown * MIN_KEPT) return found;
  // Lists of links are what such a page is made of.
  return selectByKind(buildBoxes(document, options), options, true);
}

/** A page that loses more than this to its pruning was not what it seemed. */
const MIN_KEPT = 0.5;

/** Less than this is worth a second look, with less trust in names. */
const MIN_CONTENT = 100;

const WIDER = [
  { spared: 0, keepHidden: false },
  { spared: ~0, keepHidden: false },
  { spared: ~0, keepHidden: true },
];

/** For pages that the usual way finds next to nothing on: all but the plainest boilerplate, then what is hidden too. */
function widen(document: Document, options: SelectOptions, found: Box, length: number): Box {
  let best = { root: found, length };
  for (const { spared, keepHidden } of WIDER) {
    const page = buildBoxes(document, { ...options, keepHidden });
    scoreBoxes(page, spared);
    const root = wideRoot(page);
    prune(root, { ...POLICIES.service, dropLinks: 'none' }, '', new Set());
    const kept = keptLength(root);
    if (kept > Math.max(best.length * 2, best.length + 50)) best = { root, length: kept };
    if (best.length >= MIN_CONTENT) return best.root;
  }
  if (best.length > 0) return best.root;
  return buildBoxes(document, { ...options, keepHidden: true });
}

function keptLength(box: Box): number {
  let length = 0;
  for (const child of box.children) {
    if (typeof child === 'string') length += child.trim().length;
    else if (!child.removed) length += keptLength(child);
  }
  return length;
}

function selectByKind(page: Box, { signals = NO_SIGNALS, title = '' }: SelectOptions, keepLinks = false): MainContent {
  scoreBoxes(page);
  const best = bestRoot(page);
  const text = namedRoot(best) ?? best;
  const groups = findGroups(page);
  const kind = detectKind(page, text, groups, signals);
  const policy: Policy = keepLinks ? { ...POLICIES[kind], dropLinks: 'none' } : POLICIES[kind];
  if (policy.spared !== 0) scoreBoxes(page, policy.spared, policy.extra);
  const root = policy.spared === 0 && policy.root === 'text' ? (policy.narrow ? text : best) : chooseRoot(page, policy);
  const lead = policy.dropTop ? findLead(page, root) : findHeading(page, root);
  prune(root, policy, title, cardsOf(kind, page));
  return { root: withLead(root, lead), kind };
}

function chooseRoot(page: Box, policy: Policy): Box {
  if (policy.root === 'wide') return wideRoot(page);
  const best = bestRoot(page);
  return policy.narrow ? (namedRoot(best) ?? best) : best;
}

/** The cards of a page where they matter: kept on a list of them, taken out where they lead away. */
function cardsOf(kind: PageKind, page: Box): ReadonlySet<Box> {
  const cards = new Set<Box>();
  if (kind !== 'listing' && kind !== 'collection' && !POLICIES[kind].dropCards) return cards;
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
