import type { ClaimedTask } from '../../db/frontier/frontier.ts';
import { toAppError } from '../../errors.ts';
import type { ReadPage } from '../extract/types.ts';
import { type PageBody, renderPage, type TaskTurn } from '../fetch/fetch-page.ts';
import { readRobotsTag } from '../fetch/robots-tag.ts';
import type { CrawlContext } from '../frontier/crawl-context.ts';
import type { PipelineDeps } from '../pipeline.ts';

/** Reads what was fetched; a page whose content comes from scripts is fetched once more, in the browser. */
export async function readPage(
  deps: PipelineDeps,
  task: ClaimedTask,
  crawl: CrawlContext,
  turn: TaskTurn,
  fetched: PageBody,
): Promise<{ body: PageBody; page: ReadPage }> {
  let body = fetched;
  let page = await extract(deps, task, crawl, body);
  if (page.needsScripts && !body.reused && (crawl.row.options.render ?? 'auto') === 'auto') {
    const rendered = await renderPage(deps, task, crawl, turn).catch((error: unknown) => {
      if (toAppError(error).code === 'BROWSER_MISSING') return undefined;
      throw error;
    });
    if (rendered !== undefined) {
      body = rendered;
      page = await extract(deps, task, crawl, body);
    }
  }
  const asked = readRobotsTag(body.robotsTag, task.user_agent ?? deps.userAgent);
  if (asked.noindex) page.metadata.noindex = true;
  if (asked.nofollow) page.metadata.nofollow = true;
  nameCanonical(page, body);
  return { body, page };
}

/** The Link field counts as the markup does; where they differ, the page contradicts itself and has no canonical address. */
function nameCanonical(page: ReadPage, { url, canonicalLink }: PageBody): void {
  const named = canonicalLink === undefined ? undefined : URL.parse(canonicalLink, url)?.href;
  if (named === undefined) return;
  if (page.canonical === undefined) page.canonical = named;
  else if (page.canonical !== named) delete page.canonical;
}

function extract(deps: PipelineDeps, task: ClaimedTask, crawl: CrawlContext, body: PageBody): Promise<ReadPage> {
  const options = crawl.row.options;
  const boilerplate = deps.boilerplateOf(task.domain_id);
  return deps.watch(task, body.body, () =>
    deps.extractor.extract(
      { url: body.url, contentType: body.contentType, body: body.body },
      {
        maxLinks: deps.limits.maxLinksPerPage,
        ...(options.only_main_content === undefined ? {} : { onlyMainContent: options.only_main_content }),
        ...(options.include_selectors === undefined ? {} : { includeSelectors: options.include_selectors }),
        ...(options.exclude_selectors === undefined ? {} : { excludeSelectors: options.exclude_selectors }),
        ...(options.products === undefined ? {} : { products: options.products }),
        ...(boilerplate === undefined ? {} : { boilerplate }),
        ...(task.parser === null ? {} : { parser: task.parser }),
        ...(task.shadow_parser === null ? {} : { shadowParser: task.shadow_parser }),
      },
    ),
  );
}
