import { hash } from 'node:crypto';
import { computeSimhash } from './simhash.ts';
import type { ExtractedPage, Heading, Link, PageKind, PageMetadata } from './types.ts';

export interface PageParts {
  title: string;
  markdown: string;
  text: string;
  language: string;
  metadata: PageMetadata;
  kind?: PageKind;
  headings?: Heading[];
  links?: Link[];
  linksBeyond?: NonNullable<ExtractedPage['linksBeyond']>;
  blocks?: string[];
  needsScripts?: boolean;
  product?: ExtractedPage['product'];
  shadowProduct?: NonNullable<ExtractedPage['shadowProduct']>;
}

/** What every format has in common: hashes over the text, and a value for all that it does not know. */
export function completePage(parts: PageParts): ExtractedPage {
  const bytes = Buffer.from(parts.text);
  return {
    kind: 'other',
    headings: [],
    links: [],
    blocks: [],
    needsScripts: false,
    product: undefined,
    hasText: parts.text.trim() !== '',
    contentHash: hash('sha256', bytes, 'hex'),
    simhash: computeSimhash(bytes),
    ...parts,
  };
}

/** The last part of an address, for documents that do not say what they are called. */
export function nameFromUrl(url: string): string {
  const path = URL.parse(url)?.pathname ?? url;
  const last = path.split('/').findLast((part) => part !== '') ?? '';
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
