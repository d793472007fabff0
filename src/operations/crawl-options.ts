export { CrawlOptions } from '../pipeline/crawl-options.ts';
