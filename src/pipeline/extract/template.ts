/** What repeats over a site's pages, learned from the block hashes of the pages as they come. */

export interface TemplateState {
  pages: number;
  /** On how many different pages a block was. */
  counts: Record<string, number>;
}

export interface SiteTemplate {
  /** Counts a page in. The same page again (by its blocks) counts once in a row. */
  add(blocks: readonly string[]): void;
  /** Blocks that are boilerplate by now, most frequent first. */
  boilerplate(): string[];
  /** To be stored, and given to `createSiteTemplate` again. Blocks of one page only are left out: most never come again. */
  state(): TemplateState;
}

const MIN_PAGES = 5;
const MIN_SHARE = 0.3;
const MAX_BOILERPLATE = 300;
const MAX_BLOCKS = 5_000;
/** Old pages weigh half after this many, so that a new design is learned and an old one forgotten. */
const MEMORY = 500;

export function createSiteTemplate(state: TemplateState = { pages: 0, counts: {} }): SiteTemplate {
  let pages = state.pages;
  let counts = new Map(Object.entries(state.counts));
  let last = '';

  /** Leaves out what was seen on fewer pages. */
  const counted = (least: number): [string, number][] => {
    const kept: [string, number][] = [];
    counts.forEach((count, hash) => {
      if (count >= least) kept.push([hash, count]);
    });
    return kept;
  };
  /** Halves all counts; what was seen once is forgotten. */
  const fade = (): void => {
    pages = Math.floor(pages / 2);
    counts = new Map(counted(2).map(([hash, count]) => [hash, Math.floor(count / 2)]));
  };

  return {
    add(blocks) {
      const key = blocks.join();
      if (key === last || blocks.length === 0) return;
      last = key;
      pages++;
      for (const hash of new Set(blocks)) counts.set(hash, (counts.get(hash) ?? 0) + 1);
      if (counts.size > MAX_BLOCKS) counts = new Map(counted(2).slice(-MAX_BLOCKS));
      if (pages >= MEMORY) fade();
    },
    boilerplate() {
      return counted(Math.max(MIN_PAGES, pages * MIN_SHARE))
        .sort((left, right) => right[1] - left[1])
        .slice(0, MAX_BOILERPLATE)
        .map(([hash]) => hash);
    },
    state: () => ({ pages, counts: Object.fromEntries(counted(2)) }),
  };
}
