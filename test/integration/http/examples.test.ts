import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { findChromium } from '../../../src/config/chromium.ts';
import { ROUTES } from '../../../src/surfaces/http/routes/index.ts';
import { readApiDocument } from '../../support/api-document.ts';
import { sendExample, skipExample } from '../../support/examples.ts';
import { createWorld, openStream, type World } from '../../support/world.ts';

const RECORD = 'run: node scripts/record-answers.ts, then npm run generate';

describe('the examples of the API document', () => {
  const document = readApiDocument(ROUTES);
  const answers = JSON.parse(readFileSync('src/surfaces/http/answers.json', 'utf8')) as Record<string, unknown>;
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(() => world[Symbol.asyncDispose]());

  it('each route that needs a body has one', () => {
    const missing = ROUTES.filter(({ body, example }) => !(body?.safeParse({}).success ?? true) && !example?.body);
    assert.deepEqual(
      missing.map(({ id }) => id),
      [],
      'add `example: { body: … }` to the route',
    );
  });

  for (const entry of ROUTES.filter((each) => skipExample(each) === undefined)) {
    const skip = entry.tag === 'media' && entry.method === 'POST' && noBrowser();
    it(`${entry.method} ${entry.path} answers as declared`, { skip }, async () => {
      const sent = await sendExample(world, entry);
      assert.equal(sent.status, sent.expected, sent.text);
      const operation = document.operations.find(({ operationId }) => operationId === entry.id)!;
      assert.equal(document.check(operation, sent.status, sent.contentType, sent.body), undefined, sent.text);
      if (entry.response === undefined || entry.stream !== undefined) return;
      const kept = answers[entry.id];
      assert.ok(kept !== undefined, `the document shows no answer of ${entry.id}; ${RECORD}`);
      const problem = document.check(operation, sent.status, 'application/json', kept);
      assert.equal(problem, undefined, `the answer shown is out of date; ${RECORD}`);
    });
  }

  it('streams begin as declared', async () => {
    for (const entry of ROUTES.filter(({ stream }) => stream === 'text/event-stream')) {
      const { url } = await world.fill(entry);
      assert.deepEqual(await openStream(world, url), { status: 200, type: 'text/event-stream; charset=utf-8' });
    }
  });
});

function noBrowser(): string | false {
  return findChromium(undefined) === undefined ? 'there is no Chromium here' : false;
}
