/** The Snowball English stemmer ("Porter2"): `connections` and `connected` become `connect`. Takes a lower-case word. */
export function stemEnglish(word: string): string {
  if (word.length <= 2) return word;
  const known = EXCEPTIONS.get(word);
  if (known !== undefined) return known;
  let stem = word.startsWith("'") ? word.slice(1) : word;
  // A y that starts the word or follows a vowel is a consonant; Y marks it.
  stem = stem.replace(/^y/, 'Y').replace(/([aeiouy])y/g, '$1Y');
  const r1 = findR1(stem);
  const r2 = afterVowelConsonant(stem, r1);

  stem = stem.replace(/'s'$|'s$|'$/, '');
  stem = stepPlural(stem);
  if (UNTOUCHED.has(stem)) return stem;
  stem = stepPast(stem, r1);
  stem = stem.replace(/(.[^aeiouyY])[yY]$/, '$1i').replace(/^([^aeiouyY]{2,})[yY]$/, '$1i');
  stem = stepSuffix(stem, r1, STEP_2, (rest, suffix) => {
    if (suffix === 'ogi') return rest.endsWith('l') ? `${rest}og` : undefined;
    if (suffix === 'li') return /[cdeghkmnrt]$/.test(rest) ? rest : undefined;
    return rest + STEP_2[suffix]!;
  });
  stem = stepSuffix(stem, r1, STEP_3, (rest, suffix) => {
    if (suffix === 'ative') return rest.length >= r2 ? rest : undefined;
    return rest + STEP_3[suffix]!;
  });
  stem = stepSuffix(stem, r2, STEP_4, (rest, suffix) => {
    if (suffix === 'ion') return /[st]$/.test(rest) ? rest : undefined;
    return rest;
  });
  return stepFinal(stem, r1, r2).replaceAll('Y', 'y');
}

const EXCEPTIONS = new Map(
  Object.entries({
    skis: 'ski',
    skies: 'sky',
    dying: 'die',
    lying: 'lie',
    tying: 'tie',
    idly: 'idl',
    gently: 'gentl',
    ugly: 'ugli',
    early: 'earli',
    only: 'onli',
    singly: 'singl',
    sky: 'sky',
    news: 'news',
    howe: 'howe',
    atlas: 'atlas',
    cosmos: 'cosmos',
    bias: 'bias',
    andes: 'andes',
  }),
);
const UNTOUCHED = new Set(['inning', 'outing', 'canning', 'herring', 'earring', 'proceed', 'exceed', 'succeed']);

const STEP_2: Record<string, string> = {
  ization: 'ize',
  ational: 'ate',
  fulness: 'ful',
  ousness: 'ous',
  iveness: 'ive',
  tional: 'tion',
  biliti: 'ble',
  lessli: 'less',
  entli: 'ent',
  ation: 'ate',
  alism: 'al',
  aliti: 'al',
  ousli: 'ous',
  iviti: 'ive',
  fulli: 'ful',
  enci: 'ence',
  anci: 'ance',
  abli: 'able',
  izer: 'ize',
  ator: 'ate',
  alli: 'al',
  bli: 'ble',
  ogi: 'og',
  li: '',
};
const STEP_3: Record<string, string> = {
  ational: 'ate',
  tional: 'tion',
  alize: 'al',
  icate: 'ic',
  iciti: 'ic',
  ative: '',
  ical: 'ic',
  ness: '',
  ful: '',
};
const STEP_4: Record<string, string> = Object.fromEntries(
  'ement ance ence able ible ment ant ent ism ate iti ous ive ize ion al er ic'
    .split(' ')
    .map((suffix) => [suffix, '']),
);

const VOWEL = /[aeiouy]/;

function afterVowelConsonant(word: string, from: number): number {
  const match = /[aeiouy][^aeiouy]/.exec(word.slice(from));
  return match === null ? word.length : from + match.index + 2;
}

function findR1(word: string): number {
  const prefix = /^(?:gener|commun|arsen)/.exec(word);
  return prefix === null ? afterVowelConsonant(word, 0) : prefix[0].length;
}

const isShort = (stem: string) => /^[aeiouy][^aeiouy]$/.test(stem) || /[^aeiouy][aeiouy][^aeiouywxY]$/.test(stem);

function stepPlural(stem: string): string {
  if (stem.endsWith('sses')) return stem.slice(0, -2);
  if (/ie[ds]$/.test(stem)) return stem.length > 4 ? stem.slice(0, -2) : stem.slice(0, -1);
  if (/[us]s$/.test(stem) || !stem.endsWith('s')) return stem;
  return VOWEL.test(stem.slice(0, -2)) ? stem.slice(0, -1) : stem;
}

function stepPast(stem: string, r1: number): string {
  const ee = /(?:eedly|eed)$/.exec(stem);
  if (ee !== null) return ee.index >= r1 ? `${stem.slice(0, ee.index)}ee` : stem;
  const past = /(?:ingly|edly|ing|ed)$/.exec(stem);
  if (past === null || !VOWEL.test(stem.slice(0, past.index))) return stem;
  const rest = stem.slice(0, past.index);
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`;
  if (/(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(rest)) return rest.slice(0, -1);
  return r1 >= rest.length && isShort(rest) ? `${rest}e` : rest;
}

/** Longest suffix first: the tables are written that way. */
function stepSuffix(
  stem: string,
  region: number,
  table: Record<string, string>,
  replace: (rest: string, suffix: string) => string | undefined,
): string {
  for (const suffix in table) {
    if (!stem.endsWith(suffix)) continue;
    const rest = stem.slice(0, -suffix.length);
    return rest.length < region ? stem : (replace(rest, suffix) ?? stem);
  }
  return stem;
}

function stepFinal(stem: string, r1: number, r2: number): string {
  const rest = stem.slice(0, -1);
  if (stem.endsWith('e')) return rest.length >= r2 || (rest.length >= r1 && !isShort(rest)) ? rest : stem;
  if (stem.endsWith('ll')) return rest.length >= r2 ? rest : stem;
  return stem;
}
