import { stripEnd } from '../../text/strip-end.ts';

/**
 * Namespace → the prefix its elements are reported with; '' for the vocabularies that documents are made of. Documents
 * in the field choose other prefixes, forget declarations or misspell them, so what is unknown keeps its own prefix.
 */
const USUAL_PREFIX: Record<string, string> = {
  'http://www.w3.org/2005/atom': 'atom',
  'http://purl.org/atom/ns': 'atom',
  'http://purl.org/rss/1.0': '',
  'http://my.netscape.com/rdf/simple/0.9': '',
  'http://channel.netscape.com/rdf/simple/0.9': '',
  'http://my.netscape.com/publish/formats/rss-0.91.dtd': '',
  'http://purl.org/net/rss1.1': '',
  'http://backend.userland.com/rss': '',
  'http://backend.userland.com/rss2': '',
  'http://backend.userland.com/rss191': '',
  'http://blogs.law.harvard.edu/tech/rss': '',
  'http://cyber.law.harvard.edu/rss': '',
  'http://www.w3.org/1999/02/22-rdf-syntax-ns': 'rdf',
  'http://purl.org/dc/elements/1.0': 'dc',
  'http://purl.org/dc/elements/1.1': 'dc',
  'http://purl.org/dc/terms': 'dcterms',
  'http://purl.org/rss/1.0/modules/content': 'content',
  'http://www.itunes.com/dtds/podcast-1.0.dtd': 'itunes',
  'http://search.yahoo.com/mrss': 'media',
  'http://rssnamespace.org/feedburner/ext/1.0': 'feedburner',
  'http://www.w3.org/1999/xhtml': 'xhtml',
  'http://www.sitemaps.org/schemas/sitemap/0.9': '',
  'http://www.sitemaps.org/schemas/sitemap/0.84': '',
  'http://www.google.com/schemas/sitemap/0.84': '',
  'http://www.google.com/schemas/sitemap/0.9': '',
  'http://www.google.com/schemas/sitemap-image/1.1': 'image',
  'http://www.google.com/schemas/sitemap-video/1.1': 'video',
  'http://www.google.com/schemas/sitemap-news/0.9': 'news',
  'http://www.google.com/schemas/sitemap-mobile/1.0': 'mobile',
};

const plain = (uri: string) => stripEnd(uri.trim().toLowerCase(), /[/#]/).replace(/^https:/, 'http:');

export interface Namespaces {
  /** Takes in the declarations of an element that opens; each call is matched by one `leave`. */
  enter(attributes: Record<string, string>): void;
  /** Drops the innermost scope but `kept` ones. */
  leave(kept: number): void;
  /** The usual name of an element. The root's own namespace is reported without a prefix. */
  resolve(raw: string, isRoot: boolean): string;
}

export function createNamespaces(): Namespaces {
  const scopes: (Map<string, string> | undefined)[] = [];
  let rootPrefix = '';

  const usual = (prefix: string): string => {
    for (let depth = scopes.length - 1; depth >= 0; depth--) {
      const uri = scopes[depth]?.get(prefix);
      if (uri !== undefined) return USUAL_PREFIX[uri] ?? prefix;
    }
    return prefix;
  };

  return {
    enter(attributes) {
      let scope: Map<string, string> | undefined;
      for (const name in attributes) {
        if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue;
        scope ??= new Map();
        scope.set(name.slice(6), plain(attributes[name]!));
      }
      scopes.push(scope);
    },
    leave(kept) {
      scopes.splice(scopes.length - 1 - kept, 1);
    },
    resolve(raw, isRoot) {
      const name = raw.toLowerCase();
      const colon = name.indexOf(':');
      const prefix = usual(colon === -1 ? '' : name.slice(0, colon));
      const local = name.slice(colon + 1);
      if (isRoot) rootPrefix = prefix;
      return prefix === '' || prefix === rootPrefix ? local : `${prefix}:${local}`;
    },
  };
}
