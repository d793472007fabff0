const either = (afterA: string, plain: string) =>
  new RegExp(`(?:(?<=[ая])(?:${afterA.replaceAll(' ', '|')})|(?:${plain.replaceAll(' ', '|')}))$`, 'u');
const ending = (list: string) => new RegExp(`(?:${list.replaceAll(' ', '|')})$`, 'u');

/** Alternatives stand longest first: the longest ending is the one that goes. */
const GERUND = either('вшись вши в', 'ившись ывшись ивши ывши ив ыв');
const ADJECTIVE = ending('ими ыми его ого ему ому ее ие ые ое ей ий ый ой ем им ым ом их ых ую юю ая яя ою ею');
const PARTICIPLE = either('ем нн вш ющ щ', 'ивш ывш ующ');
const VERB = either(
  'ете йте ешь нно ла на ли ем ло но ет ют ны ть й л н',
  'ейте уйте ила ыла ена ите или ыли ило ыло ено ует уют ены ить ыть ишь ей уй ил ыл им ым ен ят ит ыт ую ю',
);
const NOUN = ending(
  'иями ями ами ией иям ием иях ев ов ие ье еи ии ей ой ий ям ем ам ом ах ях ию ью ия ья а е и й о у ы ь ю я',
);
const VOWEL = /[аеиоуыэюя]/u;
const AFTER_SYLLABLE = /[аеиоуыэюя][^аеиоуыэюя]/u;

/** The Snowball stemmer for Russian: `системы` and `системами` become `систем`. Takes a lower-case word with е for ё. */
export function stemRussian(word: string): string {
  const vowel = VOWEL.exec(word);
  if (vowel === null) return word;
  const rv = vowel.index + 1;
  const start = word.slice(0, rv);
  let rest = word.slice(rv);
  const cut = (pattern: RegExp): boolean => {
    const shorter = rest.replace(pattern, '');
    const changed = shorter !== rest;
    rest = shorter;
    return changed;
  };
  if (!cut(GERUND)) {
    cut(/(?:ся|сь)$/u);
    if (cut(ADJECTIVE)) cut(PARTICIPLE);
    else if (!cut(VERB)) cut(NOUN);
  }
  cut(/и$/u);
  const r2 = regionTwo(word);
  rest = rest.replace(/ость?$/u, (suffix) => (rv + rest.length - suffix.length >= r2 ? '' : suffix));
  if (!cut(/н(?=н$)/u) && cut(/ейше?$/u)) cut(/н(?=н$)/u);
  cut(/ь$/u);
  return start + rest;
}

function regionTwo(word: string): number {
  let from = 0;
  for (let step = 0; step < 2; step++) {
    const match = AFTER_SYLLABLE.exec(word.slice(from));
    if (match === null) return word.length;
    from += match.index + 2;
  }
  return from;
}
