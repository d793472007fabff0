import { domainOf } from '../web/domain.ts';
import { amazon } from './amazon.ts';
import type { SiteParser } from './parser.ts';
import { shopify } from './shopify.ts';

/** Every site parser there is. To add one: its file, a line here, and a fixture page with its test. */
const PARSERS: readonly SiteParser[] = [amazon, shopify];

/**
 * By name, or by "name@version": a new version stands in the list after the one in force, runs in its shadow where a
 * domain's settings name it, and moves up when it takes over.
 */
export function parserNamed(name: string): SiteParser | undefined {
  return PARSERS.find((parser) => parser.name === name || `${parser.name}@${parser.version}` === name);
}

/** The parser for a page's site, where its domain's settings name none. */
export function parserFor(url: string): SiteParser | undefined {
  const address = URL.parse(url);
  if (address === null) return undefined;
  const domain = domainOf(address.hostname, Number(address.port));
  return PARSERS.find((parser) => parser.matches(domain));
}

export function parserNames(): string[] {
  return PARSERS.map((parser) => parser.name);
}
