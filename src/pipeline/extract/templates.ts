import { LRUCache } from 'lru-cache';
import { loadTemplate, saveTemplate } from '../../db/domains/templates.ts';
import type { Sql } from '../../ports/database.ts';
import { createSiteTemplate, type SiteTemplate } from './template.ts';

/** What each site repeats on its pages, as this worker and those before it have learned. */
export interface Templates {
  /** Blocks to leave out; undefined while nothing is known. */
  of(domainId: string): readonly string[] | undefined;
  learn(domainId: string, blocks: readonly string[]): void;
}

interface Known {
  template: SiteTemplate;
  furniture: readonly string[];
  pages: number;
  /** Of those, pages that were learned from. */
  learned: number;
}

const MAX_SITES = 500;
/** What is furniture is worked out anew after this many learned pages, and stored after this many. */
const RENEW_AFTER = 20;
const SAVE_AFTER = 200;
/** A site of which so many pages were read is known well: from then on one in a few is enough to notice a new design. */
const KNOWN_AFTER = 100;
const SAMPLE = 4;

export function createTemplates(sql: Sql): Templates {
  const sites = new LRUCache<string, Known | 'loading'>({ max: MAX_SITES });

  const load = (domainId: string): void => {
    sites.set(domainId, 'loading');
    loadTemplate(sql, domainId)
      .then((state) => {
        const template = createSiteTemplate(state);
        sites.set(domainId, { template, furniture: template.boilerplate(), pages: 0, learned: 0 });
      })
      .catch(() => sites.delete(domainId));
  };

  return {
    of(domainId) {
      const site = sites.get(domainId);
      if (site === undefined) load(domainId);
      return site === undefined || site === 'loading' || site.furniture.length === 0 ? undefined : site.furniture;
    },
    learn(domainId, blocks) {
      const site = sites.get(domainId);
      if (site === undefined || site === 'loading') return;
      site.pages++;
      if (site.pages > KNOWN_AFTER && site.pages % SAMPLE !== 0) return;
      site.template.add(blocks);
      site.learned++;
      if (site.learned % RENEW_AFTER !== 0) return;
      site.furniture = site.template.boilerplate();
      // A loss costs a little learning; nothing waits for it. The domain's row is busy: it is written seldom.
      if (site.learned === RENEW_AFTER || site.learned % SAVE_AFTER === 0)
        saveTemplate(sql, domainId, site.template.state()).catch(() => {});
    },
  };
}
