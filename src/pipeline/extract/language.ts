import { firstMeta, type PageHead } from './page-head.ts';

const MIN_LETTERS = 20;
const MIN_WORDS = 12;
const SAMPLE = 3_000;
const ENGLISH_SAMPLE = 1_200;

/** The commonest English words; hardly any other language is full of them. */
const ENGLISH = new Set(
  'the of and to in is that for it with as was on are be by this have from or an at not you we they which their will can'.split(
    ' ',
  ),
);

/**
 * Two-letter code of the page's language: the declared one, unless the text clearly contradicts it; else a
 * detector, which is loaded only when the text is not clearly English; "und" when nothing is certain.
 */
export async function readLanguage(head: PageHead | undefined, text: string): Promise<string> {
  const said = head === undefined ? undefined : saidLanguage(head);
  const sample = text.slice(0, SAMPLE);
  const english = englishShare(sample.slice(0, ENGLISH_SAMPLE));
  if (said !== undefined && !contradicts(said, english, sample)) return said;
  if (english !== undefined && english > 0.17) return 'en';
  return (await detectLanguage(sample)) ?? said ?? 'und';
}

function saidLanguage(head: PageHead): string | undefined {
  return (
    normalise(head.language) ?? normalise(firstMeta(head, 'content-language', 'language', 'dc.language', 'og:locale'))
  );
}

function normalise(tag: string | undefined): string | undefined {
  const primary = /^\s*([a-z]{2,3})(?:[-_]|\s*$|\s*,)/i.exec(tag ?? '')?.[1]?.toLowerCase();
  return primary === undefined || primary === 'und' || primary === 'mul' || primary === 'zxx' ? undefined : primary;
}

/** Templates say "en" by default: trusted only if the text could be English. Hardly any other text looks English. */
function contradicts(said: string, english: number | undefined, sample: string): boolean {
  if (english === undefined || sample.length < 400) return false;
  return said === 'en' ? english < 0.06 : english > 0.25;
}

/** Share of the words that are the commonest English ones; undefined when there are too few words to decide. */
function englishShare(sample: string): number | undefined {
  const words = sample.toLowerCase().match(/\p{L}+/gu);
  if (words === null || words.length < MIN_WORDS) return undefined;
  let hits = 0;
  for (const word of words) if (ENGLISH.has(word)) hits++;
  return hits / words.length;
}

async function detectLanguage(sample: string): Promise<string | undefined> {
  const letters = sample.match(/\p{L}/gu)?.length ?? 0;
  if (letters < MIN_LETTERS) return undefined;
  const { eld } = await import('eld/extrasmall');
  const result = eld.detect(sample);
  return result.language !== '' && (result.isReliable() || letters > 3 * MIN_LETTERS) ? result.language : undefined;
}
