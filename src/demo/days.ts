import { DOCS } from './content.ts';
import { PRODUCTS } from './products.ts';

/** What a day changes: always the same for the same day, so that tests know it beforehand. */
interface DayChanges {
  products: number[];
  docs: number[];
}

export function changesOf(day: number): DayChanges {
  return {
    products: [0, 13, 27].map((offset) => (day * 7 + offset) % PRODUCTS.length),
    docs: [0, 29].map((offset) => (day * 11 + offset) % DOCS.length),
  };
}

/** The days up to `day` on which the product or page with this number changed. */
export function changeDays(kind: keyof DayChanges, index: number, day: number): number[] {
  return Array.from({ length: day }, (_, before) => before + 1).filter((each) => changesOf(each)[kind].includes(index));
}

/** In cents. Each change gives a price that differs from the one before. */
export function priceOn(index: number, day: number): number {
  const { price } = PRODUCTS[index]!;
  const changes = changeDays('products', index, day).length;
  return price + changes * 10 + (changes % 2 === 1 ? Math.round(price / 10) : 0);
}

const NOTES = [
  'Two growers told us that the values settle faster when the mast is earthed.',
  'Readers measured this again on a slope and found the same within a tenth.',
  'The hint about brushing the lowest gap now holds for all housings.',
  'We checked the numbers against a second station over a week of rain.',
  'A longer cable changes nothing up to fifteen metres, as a test has shown.',
];

export const fieldNote = (index: number, day: number) =>
  `Field note ${day}: ${NOTES[(index + day) % NOTES.length]} Looked over on day ${day} of the season.`;
