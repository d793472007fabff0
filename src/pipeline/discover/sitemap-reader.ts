import { parseDate } from './date.ts';
import type { ChangeFrequency, SitemapEntry } from './sitemap.ts';
import { resolveHref, resolveLocation, type XmlReader } from './xml-reader.ts';
import type { XmlScanner } from './xml-scanner.ts';

type Field = 'loc' | 'lastmod' | 'changefreq' | 'priority' | 'title';

const FIELDS: Record<string, Field> = {
  loc: 'loc',
  lastmod: 'lastmod',
  changefreq: 'changefreq',
  priority: 'priority',
  'news:title': 'title',
};
const FREQUENCIES = new Set(['always', 'hourly', 'daily', 'weekly', 'monthly', 'yearly', 'never']);
const MAX_FIELD = 8_192;
const MAX_ALTERNATES = 200;

interface Draft {
  type: SitemapEntry['type'];
  location: string | undefined;
  /** Text straight inside the element: some indexes leave `loc` out. */
  loose: string;
  values: Partial<Record<Field, string>>;
  alternates: { language: string; url: string }[];
}

/** `url` and `sitemap` elements, wherever they stand and however they are nested. */
export class SitemapReader implements XmlReader {
  readonly #scanner: XmlScanner;
  readonly #base: string;
  readonly #emit: (entry: SitemapEntry) => void;
  #draft: Draft | undefined;
  #field: Field | undefined;
  #text = '';

  constructor(scanner: XmlScanner, base: string, emit: (entry: SitemapEntry) => void) {
    this.#scanner = scanner;
    this.#base = base;
    this.#emit = emit;
  }

  onOpen(name: string, attributes: Record<string, string>): void {
    if (name === 'url' || name === 'sitemap') {
      this.#draft = { type: name, location: undefined, loose: '', values: {}, alternates: [] };
      return;
    }
    const draft = this.#draft;
    if (draft === undefined) return;
    const field = FIELDS[name];
    const parent = this.#scanner.path(1);
    if (field !== undefined && (field === 'title' || parent === draft.type || this.#field !== undefined)) {
      // A field within a field: the first one was not closed.
      this.#endField();
      this.#field = field;
    } else if (isAlternateLink(name) && draft.alternates.length < MAX_ALTERNATES) this.#addAlternate(draft, attributes);
  }

  onText(text: string): void {
    if (this.#field !== undefined) {
      if (this.#text.length < MAX_FIELD) this.#text += text;
    } else if (this.#draft !== undefined && this.#draft.loose.length < MAX_FIELD) {
      if (this.#scanner.path() === this.#draft.type) this.#draft.loose += text;
    }
  }

  onClose(name: string): void {
    if (FIELDS[name] !== undefined && FIELDS[name] === this.#field) this.#endField();
    if (this.#draft !== undefined && name === this.#draft.type) this.#finish();
  }

  #addAlternate(draft: Draft, attributes: Record<string, string>): void {
    const language = attributes.hreflang?.trim();
    const url = resolveHref(attributes.href ?? '', this.#base);
    const rel = attributes.rel?.toLowerCase() ?? 'alternate';
    if (language !== undefined && language !== '' && url !== undefined && rel.includes('alternate'))
      draft.alternates.push({ language, url });
  }

  #endField(): void {
    const draft = this.#draft;
    if (draft !== undefined && this.#field !== undefined) {
      const value = this.#text.trim();
      if (this.#field === 'loc') {
        // A second loc starts a second entry: the first one was not closed.
        if (draft.location !== undefined) this.#emitEntry(draft);
        draft.location = value;
      } else if (value !== '') draft.values[this.#field] ??= value;
    }
    this.#field = undefined;
    this.#text = '';
  }

  #finish(): void {
    this.#endField();
    const draft = this.#draft!;
    this.#draft = undefined;
    draft.location ??= draft.loose;
    this.#emitEntry(draft);
  }

  /** Emits what was read so far, and clears it. */
  #emitEntry(draft: Draft): void {
    const { type, values, alternates } = draft;
    const url = resolveLocation(draft.location ?? '', this.#base);
    const lastModified = values.lastmod === undefined ? undefined : parseDate(values.lastmod);
    const frequency = values.changefreq?.toLowerCase();
    const priority = parsePriority(values.priority);
    draft.values = {};
    draft.alternates = [];
    if (url === undefined) return;
    this.#emit({
      type,
      url,
      ...(lastModified !== undefined && { lastModified }),
      ...(frequency !== undefined && FREQUENCIES.has(frequency) && { changeFrequency: frequency as ChangeFrequency }),
      ...(priority !== undefined && { priority }),
      ...(values.title !== undefined && { title: values.title }),
      ...(alternates.length > 0 && { alternates }),
    });
  }
}

const isAlternateLink = (name: string) => name === 'xhtml:link' || name === 'link';

function parsePriority(text: string | undefined): number | undefined {
  if (text === undefined || !/^(?:\d+|\d*[.,]\d+)$/.test(text)) return undefined;
  const value = Number(text.replace(',', '.'));
  return value >= 0 && value <= 1 ? value : undefined;
}
