/** What fetch passes to extract, and extract to store. Plain data: it crosses a thread boundary. */

export interface RawPage {
  url: string;
  /** The Content-Type header as sent, or what the uploader said. */
  contentType: string | undefined;
  body: Uint8Array;
}

export interface ExtractOptions {
  onlyMainContent?: boolean;
  includeSelectors?: string[];
  excludeSelectors?: string[];
  /** Hashes of blocks that repeat over the site's pages, learned per domain. */
  boilerplate?: readonly string[];
  /** Name of the site parser for products, from the domain's settings. */
  parser?: string;
  shadowParser?: string;
  /** Links that are kept; the rest is counted. */
  maxLinks?: number;
  /** Also look for a product (on by default). */
  products?: boolean;
  /** Return the plain text too (off by default). */
  keepText?: boolean;
}

export interface Link {
  url: string;
  text: string;
  rel: string;
}

export interface Heading {
  level: number;
  text: string;
}

export interface PageMetadata {
  description?: string;
  author?: string;
  publishedAt?: string;
  modifiedAt?: string;
  canonicalUrl?: string;
  siteName?: string;
  image?: string;
  keywords?: string[];
  feeds?: string[];
  alternates?: { language: string; url: string }[];
  openGraph?: Record<string, string>;
  /** Set when the page says noindex or nofollow. */
  noindex?: boolean;
  nofollow?: boolean;
  charset?: string;
  pages?: number;
}

export type PageKind =
  | 'article'
  | 'documentation'
  | 'forum'
  | 'product'
  | 'listing'
  | 'collection'
  | 'service'
  | 'other';

export interface ExtractedPage {
  title: string;
  /** Main content as Markdown. The stored text: chunk offsets count in it. */
  markdown: string;
  /** Main content as plain text. */
  text: string;
  /** Whether there is any. */
  hasText: boolean;
  language: string | undefined;
  kind: PageKind;
  metadata: PageMetadata;
  /** What rel=canonical names, where the page names one address and no two. */
  canonical?: string;
  headings: Heading[];
  links: Link[];
  /** Links past the limit: how many, and the first few. */
  linksBeyond?: { count: number; samples: string[] };
  product: ExtractedProduct | undefined;
  shadowProduct?: ExtractedProduct;
  /** SHA-256 of `text`, as hex. */
  contentHash: string;
  /** 64-bit SimHash of `text`, as a signed decimal string. */
  simhash: string;
  /** Hashes of the page's text blocks, for learning what repeats over a site. */
  blocks: string[];
  /** True when the page holds next to nothing without its scripts. */
  needsScripts: boolean;
}

/** What comes back from the thread that read a page: the plain text is large and rarely needed. */
export type ReadPage = Omit<ExtractedPage, 'text'> & { text?: string };

export type Availability = 'in_stock' | 'out_of_stock' | 'preorder' | 'backorder' | 'discontinued' | 'limited';

export interface FieldOrigin {
  /** Where it was found: json-ld, microdata, rdfa, opengraph, heuristic, or parser:<name>. */
  source: string;
  confidence: number;
}

export interface ExtractedProduct {
  name?: string;
  description?: string;
  price?: string;
  regularPrice?: string;
  currency?: string;
  availability?: Availability;
  rating?: number;
  reviewCount?: number;
  brand?: string;
  category?: string[];
  sku?: string;
  gtin?: string;
  mpn?: string;
  images?: { url: string; alt?: string }[];
  variants?: { name?: string; sku?: string; price?: string; availability?: Availability }[];
  /** One entry per field that is set. */
  origins: Record<string, FieldOrigin>;
  confidence: number;
  /** Validation rules this product breaks; it is kept all the same. */
  issues: string[];
  parser: string;
  parserVersion: string;
}
