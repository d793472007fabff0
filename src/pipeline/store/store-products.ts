import { createHash } from 'node:crypto';
import { type ParserRun, recordParserRuns } from '../../db/products/parser-runs.ts';
import {
  type ProductImageRow,
  type ProductRow,
  replaceProductImages,
  type StoredProduct,
  upsertProducts,
} from '../../db/products/products.ts';
import { newId } from '../../ids.ts';
import { parserFor, parserNamed } from '../../parsers/index.ts';
import type { Transaction } from '../../ports/database.ts';
import { compareProducts, isComplete } from '../extract/product/compare.ts';
import { GENERIC_PARSER } from '../extract/product/extract-product.ts';
import type { ExtractedProduct } from '../extract/types.ts';

/** A page that was read: its result, and the parsers chosen for its domain. */
export interface ReadProduct {
  url: string;
  url_hash: string;
  domain: string;
  page_id: string | null;
  product?: ExtractedProduct | undefined;
  shadowProduct?: ExtractedProduct | undefined;
  parser: string | null;
  shadow_parser: string | null;
}

const MAX_AMOUNT = 1e13;
const MAX_INT = 2 ** 31 - 1;
const MAX_IMAGES = 50;

/** Writes the products of a batch of pages, their price history, images, and the counts of the parsers. */
export async function storeProducts(tx: Transaction, pages: readonly ReadProduct[]): Promise<StoredProduct[]> {
  const found = pages.filter((page): page is ReadProduct & { product: ExtractedProduct } => page.product !== undefined);
  const unique = [...new Map(found.map((page) => [page.url_hash, page])).values()];
  const stored = unique.length === 0 ? [] : await upsertProducts(tx, unique.map(toRow));
  if (stored.length > 0) {
    const ids = new Map(stored.map((row) => [row.url_hash, row.id]));
    const images = unique.flatMap((page) => toImages(page.product, ids.get(page.url_hash)));
    await replaceProductImages(tx, [...ids.values()], images);
  }
  await recordParserRuns(tx, countRuns(pages));
  return stored;
}

function toRow({ url, url_hash, domain, page_id, product }: ReadProduct & { product: ExtractedProduct }): ProductRow {
  const facts = {
    name: product.name ?? null,
    description: product.description ?? null,
    price: toAmount(product.price),
    regular_price: toAmount(product.regularPrice),
    currency: product.currency ?? null,
    availability: product.availability ?? null,
    rating: product.rating ?? null,
    review_count: product.reviewCount === undefined ? null : Math.min(product.reviewCount, MAX_INT),
    brand: product.brand ?? null,
    category: product.category ?? [],
    sku: product.sku ?? null,
    gtin: product.gtin ?? null,
    mpn: product.mpn ?? null,
  };
  const content = JSON.stringify([facts, product.variants, product.images]);
  return {
    ...facts,
    id: newId(),
    url,
    url_hash,
    domain,
    page_id,
    fields: { origins: product.origins, ...(product.variants === undefined ? {} : { variants: product.variants }) },
    confidence: product.confidence,
    issues: product.issues,
    parser: product.parser,
    parser_version: product.parserVersion,
    content_hash: createHash('sha256').update(content).digest('hex'),
  };
}

/** What the column can hold. */
function toAmount(amount: string | undefined): string | null {
  return amount === undefined || !(Number(amount) < MAX_AMOUNT) ? null : amount;
}

function toImages(product: ExtractedProduct, productId: string | undefined): ProductImageRow[] {
  if (productId === undefined) return [];
  const unique = [...new Map((product.images ?? []).map((image) => [image.url, image])).values()];
  return unique.slice(0, MAX_IMAGES).map((image, position) => ({
    id: newId(),
    product_id: productId,
    url: image.url,
    alt: image.alt ?? null,
    position,
    kind: position === 0 ? 'primary' : 'gallery',
  }));
}

/**
 * A site parser has failed on a product page when it had to be read without it, or when name or price are missing.
 * Pages where no parser finds a product count for none of them: most pages of a shop are lists and texts.
 */
function countRuns(pages: readonly ReadProduct[]): ParserRun[] {
  const runs = new Map<string, ParserRun>();
  const count = (parser: { name: string; version: string }, domain: string, shadow: boolean): ParserRun => {
    const key = JSON.stringify([parser.name, parser.version, domain, shadow]);
    const run = runs.get(key) ?? {
      parser: parser.name,
      parser_version: parser.version,
      domain,
      shadow,
      pages: 0,
      parsed: 0,
      differs: 0,
      samples: [],
    };
    runs.set(key, run);
    run.pages++;
    return run;
  };
  for (const page of pages) {
    const { product, shadowProduct, url, domain } = page;
    if (product === undefined && shadowProduct === undefined) continue;
    const expected = (page.parser === null ? parserFor(url) : parserNamed(page.parser)) ?? GENERIC_PARSER;
    const run = count(expected, domain, false);
    if (product?.parser === expected.name && isComplete(product)) run.parsed++;
    const trial = page.shadow_parser === null ? undefined : parserNamed(page.shadow_parser);
    if (trial === undefined) continue;
    const shadow = count(trial, domain, true);
    if (shadowProduct?.parser === trial.name && isComplete(shadowProduct)) shadow.parsed++;
    const differences = compareProducts(product, shadowProduct);
    if (differences.length > 0) {
      shadow.differs++;
      shadow.samples.push({ url, differences });
    }
  }
  return [...runs.values()];
}
