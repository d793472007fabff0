import { collapse, type Element, isElement, textOf } from '../dom.ts';
import type { Scan } from './scan.ts';
import { HOME } from './words.ts';

/** The names of the page's breadcrumb links, or undefined. */
export function readBreadcrumbs(scan: Scan): string[] | undefined {
  for (const { element, hint } of scan.spots) {
    const marked = /bread-?_?crumb/i.test(hint) || /breadcrumb/i.test(element.attribs['aria-label'] ?? '');
    if (!marked) continue;
    const links = linksOf(element);
    if (links.length > 0 && links.length <= 12) return links;
  }
  return undefined;
}

function linksOf(box: Element): string[] {
  const names: string[] = [];
  const stack: Element[] = [box];
  for (let element = stack.pop(); element !== undefined; element = stack.pop()) {
    if (element.name === 'a') {
      const name = collapse(textOf(element).replace(/[›»>/|]+/g, ' '));
      if (name !== '' && name.length < 80) names.push(name);
      continue;
    }
    for (const child of element.children.toReversed()) if (isElement(child)) stack.push(child);
  }
  return names;
}

/** A category path: without the home page and without the product itself, whichever of its names is used. */
export function toCategory(
  crumbs: readonly string[] | undefined,
  ...names: (string | undefined)[]
): string[] | undefined {
  const own = names.map((name) => name?.toLowerCase() ?? '');
  const path = (crumbs ?? []).filter((crumb) => {
    const text = crumb.toLowerCase();
    return !HOME.test(crumb) && !own.some((name) => text === name || (text.length > 20 && name.includes(text)));
  });
  return path.length === 0 ? undefined : path;
}
