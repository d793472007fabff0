import { compile } from 'css-select';
import type { Element } from './dom.ts';

export type Matcher = (element: Element) => boolean;

/** Whether an element fits one of these CSS selectors. One that cannot be read matches nothing. */
export function compileSelectors(selectors: readonly string[]): Matcher | undefined {
  const tests = selectors.flatMap((selector) => compileSelector(selector) ?? []);
  if (tests.length === 0) return undefined;
  return (element) => tests.some((test) => test(element));
}

function compileSelector(selector: string): Matcher | undefined {
  try {
    return compile<Element, Element>(selector);
  } catch {
    return undefined;
  }
}
