import type { Element } from './dom.ts';

/**
 * A small CSS matcher for include and exclude rules: types, `.class`, `#id`, `[attr]` with its operators, `:not()`,
 * descendant and child combinators, lists. A selector it cannot read matches nothing.
 */
export type Matcher = (element: Element) => boolean;

interface Step {
  test: Matcher;
  /** True when the step before must be the direct parent. */
  child: boolean;
}

export function compileSelectors(selectors: readonly string[]): Matcher | undefined {
  const chains = selectors
    .flatMap((selector) => splitList(selector).map(compileChain))
    .filter((chain) => chain.length > 0);
  if (chains.length === 0) return undefined;
  return (element) => chains.some((chain) => matchesChain(element, chain, chain.length - 1));
}

function matchesChain(element: Element, chain: readonly Step[], at: number): boolean {
  const step = chain[at]!;
  if (!step.test(element)) return false;
  if (at === 0) return true;
  for (let parent = element.parent; parent !== null && 'attribs' in parent; parent = parent.parent) {
    if (matchesChain(parent, chain, at - 1)) return true;
    if (step.child) return false;
  }
  return false;
}

/** Commas inside brackets and parentheses do not split. */
function splitList(selector: string): string[] {
  return selector
    .split(/,(?![^[]*\])(?![^(]*\))/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

const COMPOUND = /\s*(>)?\s*((?:[\w*-]+|\.[\w-]+|#[\w-]+|\[[^\]]*\]|:not\([^)]*\))+)/y;

function compileChain(selector: string): Step[] {
  const steps: Step[] = [];
  COMPOUND.lastIndex = 0;
  while (COMPOUND.lastIndex < selector.length) {
    const found = COMPOUND.exec(selector);
    if (found === null) return [];
    steps.push({ test: compileCompound(found[2]!), child: found[1] === '>' });
  }
  return steps;
}

const SIMPLE =
  /([.#]?)([\w*-]+)|\[\s*([\w:-]+)\s*(?:([~|^$*]?=)\s*(?:"([^"]*)"|'([^']*)'|([^\s\]]+))\s*i?\s*)?\]|:not\(([^)]*)\)/g;

function compileCompound(compound: string): Matcher {
  const tests: Matcher[] = [];
  for (const [, mark, name, attribute, operator, quoted, single, bare, negated] of compound.matchAll(SIMPLE)) {
    if (negated !== undefined) {
      const inner = compileSelectors([negated]);
      tests.push((element) => inner?.(element) !== true);
    } else if (attribute !== undefined)
      tests.push(attributeTest(attribute.toLowerCase(), operator, quoted ?? single ?? bare ?? ''));
    else if (mark === '.') tests.push((element) => words(element.attribs.class).includes(name!));
    else if (mark === '#') tests.push((element) => element.attribs.id === name);
    else if (name !== '*') tests.push((element) => element.name === name!.toLowerCase());
  }
  return (element) => tests.every((test) => test(element));
}

const words = (value: string | undefined): string[] => (value === undefined ? [] : value.split(/\s+/));

function attributeTest(name: string, operator: string | undefined, wanted: string): Matcher {
  return ({ attribs }) => {
    const value = attribs[name];
    if (value === undefined || operator === undefined) return value !== undefined;
    if (operator === '=') return value === wanted;
    if (wanted === '') return false;
    if (operator === '~=') return words(value).includes(wanted);
    if (operator === '^=') return value.startsWith(wanted);
    if (operator === '$=') return value.endsWith(wanted);
    if (operator === '|=') return value === wanted || value.startsWith(`${wanted}-`);
    return value.includes(wanted);
  };
}
