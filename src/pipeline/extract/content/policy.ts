import type { PageKind } from '../types.ts';
import { HINT } from './box.ts';

/** How the content of each kind of page is separated from the rest. */
export interface Policy {
  /** Names that mean boilerplate elsewhere and content here. */
  spared: number;
  /** Names that mean boilerplate only here. */
  extra: number;
  /** text: where the prose is. wide: the whole page but its boilerplate. */
  root: 'text' | 'wide';
  /** Narrow the root to a part that is named as the text, and look for a summary over it. */
  narrow: boolean;
  /** Headline, byline and date go: the metadata have them. */
  dropTop: boolean;
  /** Captions go from the plain text. */
  dropCaptions: boolean;
  /** Remove short paragraphs that are calls to action. */
  dropCalls: boolean;
  /** Author lines of posts, and the buttons under them. */
  dropUsers: boolean;
  /** Cards that lead to other pages go. */
  dropCards: boolean;
  /** A block that was there before goes: pages made for two screens have much of their text twice. */
  dropRepeats: boolean;
  /** all: any part that is mostly links. menus: lists of short links. none. */
  dropLinks: 'all' | 'menus' | 'none';
}

const TEXT: Policy = {
  spared: 0,
  extra: 0,
  root: 'text',
  narrow: true,
  dropTop: true,
  dropCaptions: true,
  dropCalls: true,
  dropUsers: false,
  dropCards: false,
  dropRepeats: false,
  dropLinks: 'all',
};

const WIDE: Policy = {
  spared: HINT.advert | HINT.signup,
  extra: 0,
  root: 'wide',
  narrow: false,
  dropTop: false,
  dropCaptions: false,
  dropCalls: false,
  dropUsers: false,
  dropCards: false,
  dropRepeats: true,
  dropLinks: 'menus',
};

export const POLICIES: Record<PageKind, Policy> = {
  article: TEXT,
  documentation: {
    ...TEXT,
    spared: HINT.advert | HINT.related,
    dropTop: false,
    dropCaptions: false,
    dropCalls: false,
    dropLinks: 'none',
  },
  forum: {
    ...WIDE,
    spared: HINT.comments | HINT.related | HINT.advert,
    root: 'text',
    dropUsers: true,
    dropCards: false,
    dropRepeats: false,
  },
  product: { ...WIDE, spared: HINT.advert, extra: HINT.reviews, dropCards: true },
  listing: { ...WIDE, spared: HINT.related | HINT.advert | HINT.comments },
  collection: { ...WIDE, spared: HINT.advert },
  service: WIDE,
  other: { ...TEXT, dropTop: false, dropCaptions: false, dropLinks: 'menus' },
};
