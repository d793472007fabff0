import { parseDate } from './date.ts';
import type { FeedEntry, FeedInfo } from './feed.ts';
import { type FeedField, FIELD_RULES } from './feed-fields.ts';
import { FeedText, textType } from './feed-text.ts';
import { resolveHref, type XmlReader } from './xml-reader.ts';
import type { XmlScanner } from './xml-scanner.ts';

interface Draft {
  values: Map<FeedField, { rank: number; value: string }>;
  authors: string[];
  categories: string[];
  permalink: string | undefined;
}

const newDraft = (): Draft => ({ values: new Map(), authors: [], categories: [], permalink: undefined });

const CONTAINERS = new Set(['channel', 'feed', 'item', 'entry', 'rss', 'rdf']);
const MAX_LIST = 50;

/** RSS 0.9x, 1.0 and 2.0, Atom 0.3 and 1.0: emits each entry when it ends. */
export class FeedReader implements XmlReader {
  readonly #scanner: XmlScanner;
  readonly #emit: (entry: FeedEntry) => void;
  readonly #feed = newDraft();
  #entry: Draft | undefined;
  #isAtom = false;
  #seen = false;
  /** The text being read, the element it is the text of, and how many elements are open inside. */
  #current: { name: string; text: FeedText; depth: number } | undefined;
  /** xml:base, one per open element. */
  readonly #bases: string[];

  constructor(scanner: XmlScanner, url: string, emit: (entry: FeedEntry) => void) {
    this.#scanner = scanner;
    this.#emit = emit;
    this.#bases = [url];
  }

  onOpen(name: string, attributes: Record<string, string>): void {
    this.#pushBase(attributes['xml:base']);
    if (!this.#seen) {
      this.#seen = true;
      this.#isAtom = name === 'feed' || name === 'entry' || name === 'atom:feed';
    }
    if (this.#current !== undefined) {
      this.#current.depth++;
      this.#current.text.open(name, attributes);
      return;
    }
    if (name === 'item' || name === 'entry') {
      this.#entry = newDraft();
      const about = attributes['rdf:about'] ?? attributes.about;
      this.#set('id', 1, about?.trim());
      if (about !== undefined && isWeb(about)) this.#entry.permalink = resolveHref(about, this.#base);
      return;
    }
    if (name === 'atom:link' || name === 'link') this.#readLink(attributes);
    if (name === 'category' && attributes.term !== undefined) this.#add('category', attributes.term);
    const parent = this.#scanner.path(1) ?? '';
    const inAuthor = parent === 'author' && (name === 'name' || name === 'email');
    if (!inAuthor && name === 'author' && this.#isAtom) return;
    const rule = inAuthor ? { markup: false } : FIELD_RULES[name];
    if (rule === undefined || (!inAuthor && !CONTAINERS.has(parent) && !name.startsWith('media:'))) return;
    const markup = rule.markup === true;
    const type = textType(this.#isAtom || name.startsWith('atom:'), markup, attributes);
    this.#current = { name, text: new FeedText(type, markup), depth: 0 };
  }

  onText(text: string): void {
    this.#current?.text.text(text);
  }

  onClose(name: string): void {
    this.#bases.pop();
    const current = this.#current;
    if (current !== undefined) {
      if (current.depth > 0) {
        current.depth--;
        current.text.close(name);
        return;
      }
      this.#current = undefined;
      this.#endText(name, current.text);
    }
    if ((name === 'item' || name === 'entry') && this.#entry !== undefined) {
      this.#emit(this.#toEntry(this.#entry));
      this.#entry = undefined;
    }
  }

  info(): FeedInfo {
    const value = (field: FeedField) => this.#feed.values.get(field)?.value;
    return {
      kind: this.#isAtom ? 'atom' : 'rss',
      title: value('title') ?? '',
      ...defined({
        url: value('link'),
        description: value('summary'),
        language: value('language'),
        author: this.#feed.authors[0] ?? value('author'),
        updated: value('updated') ?? value('published'),
      }),
    };
  }

  get #target(): Draft {
    return this.#entry ?? this.#feed;
  }

  get #base(): string {
    return this.#bases.at(-1)!;
  }

  #pushBase(written: string | undefined): void {
    const base = written === undefined ? undefined : resolveHref(written, this.#base);
    this.#bases.push(base ?? this.#base);
  }

  #endText(name: string, text: FeedText): void {
    if (name === 'name' || name === 'email') {
      const author = text.toPlain();
      if (name === 'name' && author !== '') this.#add('author', author);
      else if (author !== '') this.#set('author', 9, author);
      return;
    }
    const { field, rank, markup } = FIELD_RULES[name]!;
    const value = markup ? text.toHtml() : text.toPlain();
    if (value === '') return;
    if (field === 'link') this.#set('link', rank, resolveHref(value, this.#base));
    else if (field === 'published' || field === 'updated') this.#set(field, rank, parseDate(value));
    else if (field === 'category') this.#add('category', value);
    else if (field === 'author') this.#set('author', rank, personName(value));
    else this.#set(field, rank, value);
    // An id that reads like an address mostly is one, even where it is said not to be.
    if (name === 'guid' && isWeb(value)) this.#target.permalink ??= resolveHref(value, this.#base);
  }

  /** Atom links; the best is an alternate that is a page. RSS feeds carry them too. */
  #readLink(attributes: Record<string, string>): void {
    const rel = attributes.rel?.trim().toLowerCase() || 'alternate';
    if (attributes.href === undefined) return;
    const page = attributes.type === undefined || /html/i.test(attributes.type);
    const rank = rel === 'alternate' ? (page ? 1 : 3) : rel === 'canonical' ? 2 : rel === 'self' ? 8 : undefined;
    if (rank !== undefined) this.#set('link', rank + (this.#isAtom ? 0 : 1), resolveHref(attributes.href, this.#base));
  }

  #set(field: FeedField, rank: number, value: string | undefined): void {
    if (value === undefined || value === '') return;
    const before = this.#target.values.get(field);
    if (before === undefined || rank < before.rank) this.#target.values.set(field, { rank, value });
  }

  #add(list: 'author' | 'category', value: string): void {
    const target = list === 'author' ? this.#target.authors : this.#target.categories;
    const text = value.trim();
    if (text !== '' && target.length < MAX_LIST && !target.includes(text)) target.push(text);
  }

  #toEntry(draft: Draft): FeedEntry {
    const value = (field: FeedField) => draft.values.get(field)?.value;
    const link = draft.values.get('link');
    // An address that only names the entry's own XML is worse than a permanent link.
    const url = link === undefined || link.rank >= 8 ? (draft.permalink ?? link?.value) : link.value;
    return {
      title: value('title') ?? '',
      ...defined({
        id: value('id') ?? url,
        url,
        published: value('published'),
        updated: value('updated'),
        author: draft.authors.length > 0 ? draft.authors.join(', ') : value('author'),
        summary: value('summary'),
        content: value('content'),
      }),
      categories: draft.categories,
    };
  }
}

const isWeb = (address: string) => /^\s*https?:\/\//i.test(address);

/** RSS writes authors as `mail@example.com (Name)`. */
const personName = (text: string) => text.match(/^[^\s@]+@\S+\s+\((.+)\)$/)?.[1] ?? text;

function defined<T extends Record<string, string | undefined>>(values: T): { [K in keyof T]?: string } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: string;
  };
}
