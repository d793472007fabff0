/** What HTML says about elements that a parser has to know. */

const set = (names: string) => new Set(names.split(' '));

/** Elements that hold nothing and have no end tag. */
const VOID = set(
  'area base basefont br col command embed frame hr img input isindex keygen link meta param source track wbr',
);

const FOREIGN = set('svg math');

/** Elements whose content is text up to their end tag, with character references or without. */
const RAW_TEXT = new Map<string, 'raw' | 'decoded'>([
  ['script', 'raw'],
  ['style', 'raw'],
  ['iframe', 'raw'],
  ['noembed', 'raw'],
  ['noframes', 'raw'],
  ['xmp', 'raw'],
  ['plaintext', 'raw'],
  ['title', 'decoded'],
  ['textarea', 'decoded'],
]);

const FORM = set('input option optgroup select button datalist textarea');
const PARAGRAPH = set('p');
const HEADING = set('h1 h2 h3 h4 h5 h6 p');

const entries = (names: string, closes: Set<string>) => names.split(' ').map((name) => [name, closes] as const);

/** Which open elements the start of another one ends: a list item the one before, a block the paragraph it stands in. */
const CLOSED_BY = new Map<string, Set<string>>([
  ['tr', set('tr th td')],
  ['th', set('th')],
  ['td', set('thead th td')],
  ['body', set('head link script')],
  ['a', set('a')],
  ['li', set('li')],
  ['option', set('option')],
  ['optgroup', set('optgroup option')],
  ...entries('dd dt', set('dd dt')),
  ...entries('rt rp', set('rt rp')),
  ...entries('tbody tfoot', set('thead tbody')),
  ...entries('h1 h2 h3 h4 h5 h6', HEADING),
  ...entries('select input output button datalist textarea', FORM),
  ...entries(
    'p address article aside blockquote details div dl fieldset figcaption figure footer form header hr main nav ol pre section table ul',
    PARAGRAPH,
  ),
]);

export interface ElementRule {
  void: boolean;
  foreign: boolean;
  rawText: 'raw' | 'decoded' | undefined;
  closes: ReadonlySet<string> | undefined;
}

const rules = new Map<string, ElementRule>();
const PLAIN: ElementRule = { void: false, foreign: false, rawText: undefined, closes: undefined };
for (const name of [...VOID, ...FOREIGN, ...RAW_TEXT.keys(), ...CLOSED_BY.keys()])
  rules.set(name, {
    void: VOID.has(name),
    foreign: FOREIGN.has(name),
    rawText: RAW_TEXT.get(name),
    closes: CLOSED_BY.get(name),
  });

export const ruleOf = (name: string): ElementRule => rules.get(name) ?? PLAIN;
