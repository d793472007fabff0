import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stemEnglish } from './stem.ts';

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
