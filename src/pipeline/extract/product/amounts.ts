import { stripEnd } from '../../../text/strip-end.ts';
import { CURRENCY_OF_COUNTRY, isoOfMark } from './currencies.ts';
import { parsePrice, priceCurrency } from './price.ts';

// Their prices are never written with decimals, so "229.990" is a group of thousands even in structured data.
const WHOLE_CURRENCIES = new Set(['CLP', 'COP', 'IDR', 'VND', 'PYG', 'KRW', 'JPY', 'HUF', 'ISK', 'IRR', 'PKR']);

/** An amount from structured data, where a point is a decimal point unless the currency has no decimals. */
export function readAmount(value: unknown, currency?: string): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? decimal(String(value)) : undefined;
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (/^\d+(?:\.\d+)?$/.test(text)) {
    const grouped = /^\d{1,3}\.\d{3}$/.test(text) && currency !== undefined && WHOLE_CURRENCIES.has(currency);
    return decimal(grouped ? text.replace('.', '') : text);
  }
  return parsePrice(text).amount;
}

function decimal(text: string): string | undefined {
  if (!/^\d+(?:\.\d*)?$/.test(text)) return undefined;
  const [whole = '', decimals = ''] = text.split('.');
  const [front, back] = [whole.replace(/^0+(?=\d)/, ''), stripEnd(decimals, /0/)];
  return back === '' ? front : `${front}.${back}`;
}

/** An ISO code from a code, a currency symbol, or a whole price text. */
export function readCurrency(value: string | undefined, country: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  return isoOfMark(value, country) ?? priceCurrency(value, undefined, country);
}

export function currencyOfCountry(country: string | undefined): string | undefined {
  return country === undefined ? undefined : CURRENCY_OF_COUNTRY[country];
}
