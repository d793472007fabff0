/**
 * Price strings with known answers: `node eval/prices.ts <price_cases.json> [--show]`.
 * Ends with one JSON line: exact hits (amount and currency) among the cases, apart from those marked `xfail`, beside
 * what a plain "first number" reading gets.
 */
import { readFileSync } from 'node:fs';
import { parsePrice } from '../src/pipeline/extract/product/price.ts';

interface Case {
  price: string | null;
  currencyHint: string | null;
  amount: string | null;
  currency: string | null;
  xfail: boolean;
}

const [file, flag] = process.argv.slice(2);
if (file === undefined) throw new Error('usage: node eval/prices.ts <price_cases.json> [--show]');
const cases = JSON.parse(readFileSync(file, 'utf8')) as Case[];

const score = { cases: 0, right: 0, xfail_cases: 0, xfail_right: 0, first_number: { right: 0 } };
for (const one of cases) {
  const { amount, currency } = parsePrice(one.price ?? '', one.currencyHint ?? undefined);
  const right = (amount ?? null) === one.amount && (currency ?? null) === one.currency;
  if (one.xfail) {
    score.xfail_cases++;
    if (right) score.xfail_right++;
    continue;
  }
  score.cases++;
  if (right) score.right++;
  else if (flag === '--show') console.error(JSON.stringify({ ...one, got: { amount, currency } }));
  const first = /\d[\d,]*(\.\d+)?/.exec(one.price ?? '')?.[0].replaceAll(',', '');
  if (first !== undefined && one.amount !== null && Number(first) === Number(one.amount)) score.first_number.right++;
}
console.log(JSON.stringify({ eval: 'prices', ...score, accuracy: score.right / score.cases }));
