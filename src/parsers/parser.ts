import { type Document, type Element, textOf, walkElements } from '../pipeline/extract/dom.ts';
import type { ProductFields } from '../pipeline/extract/product/fields.ts';
import { compileSelectors } from '../pipeline/extract/selectors.ts';

/** The facts a site parser read. What it leaves out is filled from the page's data and looks. */
export type ParsedFacts = Partial<ProductFields>;

export interface ParserContext {
  url: string;
  title: string;
  /** The site's country, two letters, when its address or language shows it. */
  country: string | undefined;
  resolve(href: string): string | undefined;
}

/**
 * Reads the product pages of one site, or of one shop platform.
 *
 * Contract:
 * - `matches` gets a registrable domain ("example.co.uk"); the first parser of the list that matches is used where a
 *   domain's settings name none.
 * - `parse` gives undefined when the page is not a product page as this parser knows them: a list, a changed layout. It
 *   never throws for odd markup, never fetches, and never changes the tree.
 * - `version` changes whenever `parse` may give other facts; it is stored with every product.
 */
export interface SiteParser {
  readonly name: string;
  readonly version: string;
  matches(domain: string): boolean;
  parse(document: Document, context: ParserContext): ParsedFacts | undefined;
}

export interface Finder {
  first(selector: string): Element | undefined;
  all(selector: string): Element[];
  /** The text of the first of these selectors that has any. */
  text(...selectors: string[]): string | undefined;
}

/** Looks elements up by CSS; the page is walked once. */
export function createFinder(document: Document): Finder {
  const elements = [...walkElements(document)];
  const all = (selector: string): Element[] => {
    const matches = compileSelectors([selector]);
    return matches === undefined ? [] : elements.filter(matches);
  };
  const first = (selector: string): Element | undefined => {
    const matches = compileSelectors([selector]);
    return matches === undefined ? undefined : elements.find(matches);
  };
  return {
    all,
    first,
    text(...selectors) {
      for (const selector of selectors) {
        const text = all(selector)
          .map(textOf)
          .find((one) => one !== '');
        if (text !== undefined) return text;
      }
      return undefined;
    },
  };
}
