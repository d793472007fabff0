import { stripEnd } from '../../../text/strip-end.ts';
import { type Element, isElement } from '../dom.ts';
import type { Scan, Spot } from './scan.ts';
import { LABELS } from './words.ts';

export type LabelName = keyof typeof LABELS;

export interface Labelled {
  name: LabelName;
  value: string;
  spot: Spot;
}

const MAX_LABEL = 40;
const MAX_VALUE = 80;

/** Facts that stand behind a label: table rows, definition lists, "Label: value", and neighbouring elements. */
export function findLabelled(scan: Scan): Labelled[] {
  const found: Labelled[] = [];
  for (const spot of scan.spots) {
    const { text } = spot;
    if (text === '' || spot.aside) continue;
    const colon =
      /^([^:：]{2,40})[:：]\s?(.{1,80})$/.exec(text) ??
      /^((?:sku|ref|réf|art|ean|mpn|asin|isbn)\.?)\s(\S{3,30})$/i.exec(text);
    if (colon !== null) {
      const name = labelName(colon[1]!);
      // A second label in the text means that this is a whole row of them.
      const value = colon[2]!.trim();
      if (name !== undefined && value !== '' && !/[:：]\s/.test(value)) found.push({ name, value, spot });
    } else if (text.length <= MAX_LABEL) {
      const name = labelName(text);
      const value = name === undefined ? undefined : valueAfter(spot, scan);
      if (name !== undefined && value !== undefined) found.push({ name, value, spot });
    }
  }
  return found;
}

function labelName(text: string): LabelName | undefined {
  const label = stripEnd(text, /[\s:：#.]/)
    .replace(/^[\s•·*-]+/, '')
    .trim();
  if (label.length < 2) return undefined;
  for (const name of ['gtin', 'mpn', 'sku', 'brand', 'stock'] as const) if (LABELS[name].test(label)) return name;
  return undefined;
}

/** The text of the next sibling element, or of the parent's next sibling when the label stands alone in its box. */
function valueAfter(spot: Spot, scan: Scan): string | undefined {
  for (let up: Spot | undefined = spot, levels = 0; up !== undefined && levels < 3; up = up.parent, levels++) {
    const rest = textAfter(up.element);
    if (rest !== undefined) return rest;
    const next = nextElement(up.element);
    if (next !== undefined) {
      const value = scan.byElement.get(next)?.text ?? '';
      if (value === '' || value.length > MAX_VALUE) return undefined;
      return value.replace(/^[\s:：]+/, '');
    }
    if (up.parent?.text !== up.text) return undefined;
  }
  return undefined;
}

/** Bare text right after an element: `<b>SKU:</b> 123`. */
function textAfter(element: Element): string | undefined {
  const next = element.next;
  if (next === null || next.type !== 'text') return undefined;
  const text = (next as { data: string }).data.replace(/^[\s:：]+/, '').trim();
  return text === '' || text.length > MAX_VALUE ? undefined : text;
}

function nextElement(element: Element): Element | undefined {
  for (let next = element.next; next !== null; next = next.next) {
    if (isElement(next)) return next;
    if (next.type === 'text' && (next as { data: string }).data.trim() !== '') return undefined;
  }
  return undefined;
}
