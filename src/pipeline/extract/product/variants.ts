import { type Element, isElement, textOf } from '../dom.ts';
import { readAvailabilityText } from './availability.ts';
import { SURE_MARK } from './currencies.ts';
import type { ProductFields } from './fields.ts';
import { parsePrice } from './price.ts';
import type { Scan, Spot } from './scan.ts';

type Variant = ProductFields['variants'][number];

const VARIANT_HINT =
  /size|colou?r|variant|option|style|material|flavou?r|gr(?:ö|oe)(?:ß|ss)e|farbe|taille|couleur|talla|taglia|colore|tamanho|cor(?:[-_ ]|$)|maat|kleur|rozmiar|kolor|velikost|barva|размер|цвет|サイズ|カラー|尺寸|顏色|颜色|사이즈|색상/i;
const OTHER_HINT =
  /qty|quantity|menge|anzahl|amount|country|land|currency|sort|lang|rating|filter|zip|month|year|store|branch|search|category/i;
const PROMPT =
  /^(?:-+|please|choose|select|pick|bitte|wähl|auswähl|choisi|sélect|elige|selecci|scegli|selez|escolh|kies|wybierz|zvol|vyber|выбер|оберіть|välj|vælg|velg|valitse|seç|請選|请选|選択|선택)/i;
const MAX_VARIANTS = 100;

/** Sizes, colours and the like that a buyer can choose: the first fitting list of options, else of radio buttons. */
export function findVariants(scan: Scan): Variant[] {
  const button = scan.buttons[0];
  for (const spot of scan.spots) {
    if (spot.element.name !== 'select' || spot.aside) continue;
    const hint = `${spot.hint} ${spot.element.attribs.name ?? ''} ${spot.element.attribs['aria-label'] ?? ''}`;
    if (OTHER_HINT.test(hint) || !(VARIANT_HINT.test(hint) || shareForm(spot, button))) continue;
    const variants = readOptions(spot.element);
    if (variants.length > 1) return variants;
  }
  return readRadios(scan);
}

/** A list of options in the form that the buy button sends. */
function shareForm(spot: Spot, button: Spot | undefined): boolean {
  const form = formOf(spot);
  return form !== undefined && form === formOf(button);
}

function formOf(spot: Spot | undefined): Spot | undefined {
  let up = spot;
  while (up !== undefined && up.element.name !== 'form') up = up.parent;
  return up;
}

function readOptions(select: Element): Variant[] {
  const options = select.children.flatMap((child) =>
    isElement(child) && child.name === 'optgroup' ? child.children : [child],
  );
  return options
    .filter((option): option is Element => isElement(option) && option.name === 'option')
    .slice(0, MAX_VARIANTS)
    .flatMap((option) => {
      const variant = describe(textOf(option), option.attribs.disabled !== undefined);
      return variant === undefined || option.attribs.value === '' ? [] : [variant];
    });
}

function readRadios(scan: Scan): Variant[] {
  const groups = new Map<string, Variant[]>();
  const labels = new Map(scan.spots.map((spot) => [spot.element.attribs.for, spot]));
  for (const { element, aside, parent } of scan.spots) {
    const { type, name = '', id } = element.attribs;
    if (element.name !== 'input' || type !== 'radio' || aside || !VARIANT_HINT.test(name) || OTHER_HINT.test(name))
      continue;
    const label = (id === undefined ? undefined : labels.get(id)) ?? parent;
    const words = label?.text || element.attribs['aria-label'] || element.attribs.title || element.attribs.value || '';
    const variant = describe(words, element.attribs.disabled !== undefined);
    if (variant !== undefined) groups.set(name, [...(groups.get(name) ?? []), variant].slice(0, MAX_VARIANTS));
  }
  return [...groups.values()].find((variants) => variants.length > 1) ?? [];
}

/** "Large – £12.00 (sold out)" → its parts. A surcharge is no price. */
function describe(words: string, disabled: boolean): Variant | undefined {
  if (words === '' || words.length > 120 || PROMPT.test(words)) return undefined;
  const variant: Variant = { name: words };
  const availability = disabled ? 'out_of_stock' : readAvailabilityText(words);
  if (availability !== undefined) variant.availability = availability;
  if (SURE_MARK.test(words) && !/[+(]\s?\S{0,3}\s?\d/.test(words)) {
    const { amount } = parsePrice(words);
    if (amount !== undefined) variant.price = amount;
  }
  return variant;
}
