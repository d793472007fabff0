import { AppError } from '../../errors.ts';
import type { FetchRequest, FetchResponse, Hop } from '../../ports/fetcher.ts';
import { parseRobots, type RobotsRules } from '../fetch/robots.ts';
import { sleepUntil } from '../fetch/turn.ts';
import type { DiscoverTools } from './types.ts';

export interface SiteClient {
  /** A page or file of a site: robots.txt is obeyed, redirects included; only 2xx resolves. */
  get(url: string, maxBytes?: number): Promise<FetchResponse>;
  /** A service that is there to be asked: robots.txt does not apply. */
  ask(url: string, maxBytes?: number): Promise<FetchResponse>;
  robots(origin: string): Promise<RobotsRules>;
}

const ROBOTS_BYTES = 600 * 1024;

/** Asks one thing at a time and keeps the delay between two requests to a host. */
export function createSiteClient(tools: DiscoverTools): SiteClient {
  const rulesByOrigin = new Map<string, Promise<RobotsRules>>();
  const nextSend = new Map<string, number>();
  const deadline = AbortSignal.timeout(tools.timeoutMs ?? 300_000);
  const signal = tools.signal === undefined ? deadline : AbortSignal.any([tools.signal, deadline]);

  async function wait(url: string, delayMs: number): Promise<Hop> {
    if (tools.admit !== undefined) return tools.admit(url);
    const { host } = new URL(url);
    await sleepUntil(nextSend.get(host) ?? 0);
    nextSend.set(host, performance.now() + delayMs);
    return {};
  }

  async function send(
    url: string,
    maxBytes: number | undefined,
    onRedirect?: FetchRequest['onRedirect'],
    delayMs = tools.delayMs,
  ): Promise<FetchResponse> {
    if (signal.aborted) throw new AppError(tools.signal?.aborted ? 'CANCELLED' : 'TIMEOUT', 'discovery was stopped');
    const { proxy } = await wait(url, delayMs);
    return tools.fetcher.fetch({
      url,
      signal,
      headers: { 'user-agent': tools.userAgent },
      ...(typeof proxy === 'string' && { proxy }),
      ...(maxBytes !== undefined && { maxBytes }),
      ...(onRedirect !== undefined && { onRedirect }),
    });
  }

  /** RFC 9309: no file, no rules; a server that fails forbids everything. */
  async function readRobots(origin: string): Promise<RobotsRules> {
    if (tools.robots !== undefined) return tools.robots(origin);
    const response = await send(`${origin}/robots.txt`, ROBOTS_BYTES).catch((cause: unknown) => {
      if (cause instanceof AppError && !cause.retryable) throw cause;
      throw new AppError('ROBOTS_UNAVAILABLE', `robots.txt of ${origin} cannot be read`, { cause });
    });
    if (response.status >= 500 || response.status === 429)
      throw new AppError('ROBOTS_UNAVAILABLE', `robots.txt of ${origin} answers ${response.status}`);
    return parseRobots(response.status === 200 ? response.body : '', tools.userAgent);
  }

  function robots(origin: string): Promise<RobotsRules> {
    let rules = rulesByOrigin.get(origin);
    if (rules === undefined) {
      rules = readRobots(origin);
      rulesByOrigin.set(origin, rules);
    }
    return rules;
  }

  async function check(url: string): Promise<RobotsRules> {
    const rules = await robots(new URL(url).origin);
    if (!rules.allows(url)) throw new AppError('ROBOTS_DISALLOWED', `robots.txt forbids ${url}`);
    return rules;
  }

  return {
    robots,
    async get(url, maxBytes) {
      const { crawlDelayMs = 0 } = await check(url);
      const delayMs = Math.max(tools.delayMs, Math.min(crawlDelayMs, tools.maxCrawlDelayMs ?? 60_000));
      const onRedirect = async (_from: string, to: string) => {
        await check(to);
        return wait(to, delayMs);
      };
      return expectSuccess(await send(url, maxBytes, onRedirect, delayMs), url);
    },
    async ask(url, maxBytes) {
      return expectSuccess(await send(url, maxBytes), url);
    },
  };
}

function expectSuccess(response: FetchResponse, url: string): FetchResponse {
  if (response.status >= 200 && response.status < 300) return response;
  const code = response.status === 429 ? 'HTTP_429' : response.status >= 500 ? 'HTTP_5XX' : 'HTTP_4XX';
  throw new AppError(code, `${url} answers ${response.status}`, { failure: { status: response.status } });
}
