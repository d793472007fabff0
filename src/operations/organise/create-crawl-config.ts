import type { z } from 'zod';
import type { App } from '../../app.ts';
import { insertCrawlConfig } from '../../db/organise/crawl-configs.ts';
import { orConflict } from '../../db/unique.ts';
import { newId } from '../../ids.ts';
import type { CrawlConfig, CrawlConfigInput } from './crawl-config.ts';

export function createCrawlConfig(app: App, input: z.output<typeof CrawlConfigInput>): Promise<CrawlConfig> {
  return orConflict(
    insertCrawlConfig(app.database, { id: newId(), ...input }),
    `a config is called "${input.name}" already`,
  );
}
