export interface MarkdownLink {
  start: number;
  end: number;
  label: string;
  target: string;
}

/**
 * Every `[label](target)`, or `![label](target)` when `opening` is `![`, from left to right. A label ends at the first
 * `]`, a target at the first `)`. Where the next of both stands is remembered, so brackets that are never closed cost
 * no second look: the time grows with the length of the text.
 */
export function* findLinks(markdown: string, opening: '[' | '![' = '['): Generator<MarkdownLink> {
  const nextBracket = createFinder(markdown, ']');
  const nextParenthesis = createFinder(markdown, ')');
  for (let start = markdown.indexOf(opening); start >= 0; ) {
    const from = start + opening.length;
    const bracket = nextBracket(from);
    if (bracket < 0) return;
    if (markdown[bracket + 1] !== '(') {
      start = markdown.indexOf(opening, start + 1);
      continue;
    }
    const end = nextParenthesis(bracket + 2);
    if (end < 0) return;
    yield { start, end: end + 1, label: markdown.slice(from, bracket), target: markdown.slice(bracket + 2, end) };
    start = markdown.indexOf(opening, end + 1);
  }
}

/** Each picture replaced by what `image` makes of its label. */
export function unimage(markdown: string, image: (label: string) => string = (label) => label): string {
  return replaceLinks(markdown, '![', image);
}

/** Each picture as in `unimage`, and each link replaced by its label. */
export function unlink(markdown: string, image?: (label: string) => string): string {
  return replaceLinks(unimage(markdown, image), '[', (label) => label);
}

function replaceLinks(markdown: string, opening: '[' | '![', replace: (label: string) => string): string {
  let text = '';
  let from = 0;
  for (const { start, end, label } of findLinks(markdown, opening)) {
    text += markdown.slice(from, start) + replace(label);
    from = end;
  }
  return from === 0 ? markdown : text + markdown.slice(from);
}

/** As `indexOf`, for positions that only grow: what was found is kept until the position passes it. */
function createFinder(text: string, mark: string): (from: number) => number {
  let found = -2;
  return (from) => {
    if (found === -2 || (found >= 0 && found < from)) found = text.indexOf(mark, from);
    return found;
  };
}
