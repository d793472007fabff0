import { compilePattern } from '../../web/pattern.ts';

/** Where a crawl may go. */
export interface Scope {
  /** same registrable domain (default), same host, below the start path, or anywhere. */
  within: 'domain' | 'host' | 'path' | 'any';
  include: ((url: string) => boolean)[];
  exclude: ((url: string) => boolean)[];
  domains: Set<string>;
  hosts: Set<string>;
  paths: string[];
}

export interface ScopeOptions {
  scope?: 'domain' | 'host' | 'path' | 'any';
  include_patterns?: string[];
  exclude_patterns?: string[];
}

interface Place {
  url: string;
  host: string;
  domain: string;
}

export function createScope(seeds: readonly Place[], options: ScopeOptions): Scope {
  return {
    within: options.scope ?? 'domain',
    include: (options.include_patterns ?? []).map(compilePattern),
    exclude: (options.exclude_patterns ?? []).map(compilePattern),
    domains: new Set(seeds.map((seed) => seed.domain)),
    hosts: new Set(seeds.map((seed) => seed.host)),
    paths: seeds.map((seed) => folderOf(seed.url)),
  };
}

/** The address up to its last slash, without query and fragment. */
function folderOf(url: string): string {
  const path = url.split(/[?#]/, 1)[0]!;
  return path.slice(0, path.lastIndexOf('/') + 1);
}

export function inScope(scope: Scope, link: Place): boolean {
  if (scope.within === 'domain' && !scope.domains.has(link.domain)) return false;
  if (scope.within === 'host' && !scope.hosts.has(link.host)) return false;
  if (scope.within === 'path' && !scope.paths.some((path) => link.url.startsWith(path))) return false;
  if (scope.exclude.some((matches) => matches(link.url))) return false;
  return scope.include.length === 0 || scope.include.some((matches) => matches(link.url));
}
