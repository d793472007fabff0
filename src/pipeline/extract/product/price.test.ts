import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parsePrice, priceCurrency } from './price.ts';

const CASES: [text: string, amount: string | undefined, currency: string | undefined, hint?: string][] = [
  ['$1,234.50', '1234.5', '$'],
  ['1.234,50 €', '1234.5', '€'],
  ['1 234,50 zł', '1234.5', 'zł'],
  ["CHF 12'345.60", '12345.6', 'CHF'],
  ['₹ 1,29,000', '129000', '₹'],
  ['Rp 75.000', '75000', 'Rp'],
  ['12.345 KD', '12.345', 'KD'],
  ['0,125 €', '0.125', '€'],
  ['49€95', '49.95', '€'],
  ['49€ 95', '49.95', '€'],
  ['from 5 to 9 €', '5', '€'],
  ['6 bottles only 29,90 EUR', '29.9', 'EUR'],
  ['20% off', undefined, undefined],
  ['save 20% now £8', '8', '£'],
  ['US$ 10', '10', 'US$'],
  ['CAD $10', '10', 'CAD'],
  ['Free', '0', undefined],
  ['Free shipping over $50', undefined, '$'],
  ['٤٥٫٥ ريال', '45.5', 'ريال'],
  ['１２００円', '1200', '円'],
  ['999', '999', 'kr', '999 kr'],
  ['12.90', '12.9', undefined, 'ALL ITEMS'],
  ['call us', undefined, undefined],
  ['', undefined, undefined],
];

for (const [text, amount, currency, hint] of CASES) {
  test(`reads ${JSON.stringify(text)}`, () => assert.deepEqual(parsePrice(text, hint), { amount, currency }));
}

test('the site settles a currency sign that several countries share', () => {
  assert.equal(priceCurrency('$5', undefined, 'au'), 'AUD');
  assert.equal(priceCurrency('$5', undefined, 'de'), 'USD');
  assert.equal(priceCurrency('95 kr', undefined, 'dk'), 'DKK');
  assert.equal(priceCurrency('95 kr', undefined, undefined), 'SEK');
  assert.equal(priceCurrency('$5 MXN', undefined, 'us'), 'MXN');
  assert.equal(priceCurrency('5', undefined, 'us'), undefined);
});

test('what is formatted for a locale is read back', () => {
  const locales = ['en-US', 'de-DE', 'fr-FR', 'pl-PL', 'en-IN', 'de-CH', 'sv-SE', 'pt-BR'];
  const cents = fc.integer({ min: 1, max: 999_999_999 });
  fc.assert(
    fc.property(cents, fc.constantFrom(...locales), (value, locale) => {
      const text = new Intl.NumberFormat(locale, { style: 'currency', currency: 'EUR' }).format(value / 100);
      const { amount, currency } = parsePrice(text);
      assert.equal(Number(amount), value / 100);
      assert.ok(currency === '€' || currency === 'EUR');
    }),
    { numRuns: 300 },
  );
});

test('any text gives a plain decimal or nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.string(), (text, hint) => {
      const { amount } = parsePrice(text, hint);
      assert.ok(amount === undefined || /^\d+(\.\d*[1-9])?$/.test(amount));
    }),
    { numRuns: 500 },
  );
});
