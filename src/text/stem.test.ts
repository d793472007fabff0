import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stemEnglish } from './stem.ts';
import { stemArabic } from './stem-arabic.ts';
import { stemRussian } from './stem-russian.ts';

/** Pairs of the stemmer's published sample vocabulary. */
const SAMPLES = `consign consign, consigned consign, consigning consign, consignment consign, consist consist,
  consistency consist, consistent consist, consolation consol, consolatory consolatori, consolingly consol, conspicuously conspicu,
  constable constabl, kneaded knead, knavish knavish, knees knee, knightly knight, knots knot, generate generat, generically generic,
  communication communic, arsenal arsenal, skies sky, dying die, news news, inning inning, proceed proceed, hopping hop, hoped hope,
  flies fli, ties tie, cries cri, by by, say say, enjoy enjoy, happily happili, nationality nation, relational relat,
  adjustment adjust, adoption adopt, controlled control, falling fall, agreed agre, feed feed, sensational sensat`;

test('stems like the published samples', () => {
  for (const pair of SAMPLES.split(',')) {
    const [word, stem] = pair.trim().split(/\s+/);
    assert.equal(stemEnglish(word!), stem, word);
  }
});

/** Pairs of the published sample vocabulary for Russian. */
const RUSSIAN = `в в, вавиловка вавиловк, вагнера вагнер, вагон вагон, вагона вагон, вагоне вагон, вагонов вагон, важная важн, важнее важн,
  важнейшие важн, важнейшими важн, важничал важнича, важно важн, важного важн, важности важност, вакансии ваканс, валерианой валериан,
  валерьянку валерьянк, вали вал, валится вал, п п, па па, павел павел, павильон павильон, пагубная пагубн, падаешь пада, падала пада,
  падать пада, падающий пада, паденье паден, пакет пакет, пальто пальт, памятники памятник, пальцами пальц`;

test('stems Russian like the published samples', () => {
  for (const pair of RUSSIAN.split(',')) {
    const [word, stem] = pair.trim().split(/\s+/);
    assert.equal(stemRussian(word!), stem, word);
  }
});

test('an Arabic word is found with and without article and endings', () => {
  const [plain, ...forms] = ['مكتبه', 'المكتبة', 'مكتبات', 'والمكتبات', 'مكتبي'].map(stemArabic);
  for (const form of forms) assert.equal(form, plain);
  assert.equal(stemArabic('ال'), 'ال');
});
