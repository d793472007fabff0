import type { Box } from '../content/box.ts';
import { rawText } from './inline.ts';

const LANGUAGE =
  /(?:^|\s)(?:lang(?:uage)?|highlight-source|highlight|brush:?|sourceCode|prettyprint lang|hljs)[-\s:]+([a-z0-9+#.]+)/i;
const NOT_LANGUAGES = new Set([
  'default',
  'none',
  'text',
  'plaintext',
  'plain',
  'wrapper',
  'line',
  'lines',
  'table',
  'block',
  'notranslate',
]);

/** A fenced code block, with its language where a class names it. */
export function fence(box: Box): string {
  const code = rawText(box)
    .replaceAll('\r\n', '\n')
    .replaceAll('\u00a0', ' ')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd();
  if (code === '') return '';
  let marks = '```';
  while (code.includes(marks)) marks += '`';
  return `${marks}${languageOf(box) ?? ''}\n${code}\n${marks}`;
}

function languageOf(box: Box): string | undefined {
  const inner = box.children.find((child): child is Box => typeof child !== 'string' && child.tag === 'code');
  for (const candidate of [inner, box, box.parent, box.parent?.parent]) {
    if (candidate === undefined) continue;
    const { attribs } = candidate.element;
    const named = attribs['data-lang'] ?? attribs['data-language'] ?? LANGUAGE.exec(attribs.class ?? '')?.[1];
    if (named !== undefined && /^[\w+#.-]{1,30}$/.test(named) && !NOT_LANGUAGES.has(named.toLowerCase()))
      return named.toLowerCase();
  }
  return undefined;
}
