import { findRobots, type RobotsRow, saveRobots } from '../../db/domains/robots.ts';
import { newId } from '../../ids.ts';
import type { Sql } from '../../ports/database.ts';

/** Where what robots.txt files said is kept. */
export interface RobotsStore {
  find(origin: string): Promise<RobotsRow | undefined>;
  /** Resolves with the delay the whole domain has to keep: the longest that any of its origins requires; 0: none. */
  save(domain: string, row: RobotsRow): Promise<number>;
}

export const createDatabaseRobots = (sql: Sql): RobotsStore => ({
  find: (origin) => findRobots(sql, origin),
  save: (domain, row) => saveRobots(sql, newId(), domain, row),
});

export function createMemoryRobots(): RobotsStore {
  const rows = new Map<string, { domain: string; row: RobotsRow }>();
  return {
    find: async (origin) => rows.get(origin)?.row,
    async save(domain, row) {
      rows.set(row.origin, { domain, row });
      const delays = [...rows.values()].filter((each) => each.domain === domain).map((each) => each.row.crawl_delay_ms);
      return Math.max(0, ...delays.map((delay) => delay ?? 0));
    },
  };
}
