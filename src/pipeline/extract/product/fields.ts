import type { Availability, ExtractedProduct, FieldOrigin } from '../types.ts';

/** The facts of a product that a source may know. */
export interface ProductFields {
  name: string;
  description: string;
  price: string;
  regularPrice: string;
  currency: string;
  availability: Availability;
  rating: number;
  reviewCount: number;
  brand: string;
  category: string[];
  sku: string;
  gtin: string;
  mpn: string;
  images: { url: string; alt?: string }[];
  variants: NonNullable<ExtractedProduct['variants']>;
}

export type FieldName = keyof ProductFields;

/** Collects what every source says and keeps, for each field, the claim it trusts most; the first of equals wins. */
export class Claims {
  readonly #best = new Map<FieldName, { value: unknown; origin: FieldOrigin }>();

  add<Name extends FieldName>(
    name: Name,
    value: ProductFields[Name] | undefined,
    source: string,
    confidence: number,
  ): void {
    if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) return;
    const known = this.#best.get(name);
    if (known === undefined || known.origin.confidence < confidence)
      this.#best.set(name, { value, origin: { source, confidence: Math.round(confidence * 100) / 100 } });
  }

  get<Name extends FieldName>(name: Name): ProductFields[Name] | undefined {
    return this.#best.get(name)?.value as ProductFields[Name] | undefined;
  }

  origin(name: FieldName): FieldOrigin | undefined {
    return this.#best.get(name)?.origin;
  }

  /** Lowers the trust in what was claimed so far, so that a later claim may win. */
  weaken(name: FieldName, confidence: number): void {
    const known = this.#best.get(name);
    if (known !== undefined)
      known.origin = { ...known.origin, confidence: Math.min(known.origin.confidence, confidence) };
  }

  fields(): Partial<ProductFields> {
    return Object.fromEntries([...this.#best].map(([name, { value }]) => [name, value])) as Partial<ProductFields>;
  }

  origins(): Record<string, FieldOrigin> {
    return Object.fromEntries([...this.#best].map(([name, { origin }]) => [name, origin]));
  }
}
