import { allBelow, type Box, HINT, isWithin } from './box.ts';
import { innerText, isByline, isCall, isNoise } from './lines.ts';

const MIN_LEAD = 60;
const MAX_LEAD = 1_000;
const MAX_PARAGRAPHS = 3;
/** Names that make a paragraph over the text a summary of it, and elsewhere a link to another page. */
const SUMMARY = HINT.related | HINT.header;

/**
 * Many pages set the first paragraph apart from the text: between headline and root there may be a summary. Its
 * paragraphs are found by position, because they have no common name.
 */
export function findLead(page: Box, root: Box): Box[] {
  let lead: Box[] = [];
  let seenHeading = false;
  for (const box of allBelow(page)) {
    if (box === root) return seenHeading && fits(lead, root) ? withoutRepeats(lead, root) : [];
    if (box.tag === 'h1') {
      seenHeading = true;
      lead = [];
    } else if (seenHeading && isLead(box) && !lead.some((outer) => isWithin(box, outer))) lead.push(box);
  }
  return [];
}

/** The page's heading, where it stands outside of the root. */
export function findHeading(page: Box, root: Box): Box[] {
  const heading = page.page.find((box) => box.tag === 'h1' && box.text > 0 && !box.junk);
  return heading === undefined || isWithin(heading, root) ? [] : [heading];
}

function isLead(box: Box): boolean {
  if (!box.block || box.own < MIN_LEAD || box.ownLinked > box.own * 0.2 || box.own > MAX_LEAD) return false;
  const line = innerText(box).trim();
  if (isByline(line) || isCall(line) || isNoise(line)) return false;
  for (let up: Box | undefined = box; up !== undefined; up = up.parent) {
    if (up.tag === 'figure' || up.tag === 'figcaption' || up.tag === 'nav' || up.tag === 'li') return false;
    if ((up.hints & HINT.caption) !== 0) return false;
    // The boilerplate may not start above the paragraph and its wrapper.
    if (up.junk && up.parent?.junk !== true) return (up.hints & ~SUMMARY & JUNK_NAMES) === 0 && up.linked === 0;
  }
  return true;
}

const JUNK_NAMES =
  HINT.navigation |
  HINT.footer |
  HINT.sidebar |
  HINT.social |
  HINT.signup |
  HINT.consent |
  HINT.comments |
  HINT.advert |
  HINT.overlay |
  HINT.filters;

/** A summary that opens the text as well is taken from there. */
function withoutRepeats(lead: readonly Box[], root: Box): Box[] {
  const start = innerText(root).slice(0, 3_000).replace(/\s+/g, ' ');
  const seen = new Set<string>();
  return lead.filter((box) => {
    const line = innerText(box).replace(/\s+/g, ' ').trim();
    if (seen.has(line) || start.includes(line)) return false;
    seen.add(line);
    return true;
  });
}

function fits(lead: readonly Box[], root: Box): boolean {
  let length = 0;
  for (const box of lead) length += box.own;
  return lead.length > 0 && lead.length <= MAX_PARAGRAPHS && length <= MAX_LEAD && length < root.text * 0.5;
}
