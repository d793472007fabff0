import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createEventParser, type ServerEvent } from './sse.ts';

const read = (pieces: readonly string[], maxLength = 1_000_000): ServerEvent[] => {
  const parser = createEventParser(maxLength);
  return pieces.flatMap((piece) => parser.push(piece));
};

/** Text without ends of line: what a field can hold. */
const fieldText = fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.replace(/[\r\n\0]/g, '.'));
const eventArb = fc.record({
  event: fieldText.filter((name) => name !== ''),
  id: fieldText,
  data: fc.array(fieldText, { minLength: 1, maxLength: 4 }),
  comments: fc.array(fieldText, { maxLength: 2 }),
  ends: fc.constantFrom('\n', '\r', '\r\n'),
});

describe('a stream of server-sent events', () => {
  it('comes out whole, however it is cut and whatever ends its lines', () => {
    fc.assert(
      fc.property(fc.array(eventArb, { maxLength: 6 }), fc.array(fc.nat(400), { maxLength: 12 }), (events, cuts) => {
        const text = events
          .map(({ event, id, data, comments, ends }) =>
            [
              ...comments.map((comment) => `:${comment}`),
              `event: ${event}`,
              `id: ${id}`,
              ...data.map((line) => `data: ${line}`),
              '',
              '',
            ].join(ends),
          )
          .join('');
        const places = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length];
        const pieces = places.slice(1).map((end, nth) => text.slice(places[nth], end));
        assert.deepEqual(
          read(pieces),
          events.map(({ event, id, data }) => ({ event, id, data: data.join('\n') })),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('follows the standard in its corners', () => {
    const one = (text: string) => read([text]);
    assert.deepEqual(one('data:no space\n\n'), [{ event: 'message', data: 'no space', id: '' }]);
    assert.deepEqual(one('data:  two\n\n')[0]?.data, ' two');
    assert.deepEqual(one('data\n\n')[0]?.data, '');
    assert.deepEqual(one('event: lonely\n\n'), []);
    assert.deepEqual(one('data: never closed\n'), []);
    assert.deepEqual(
      one('id: 7\ndata: a\n\ndata: b\n\n').map(({ id }) => id),
      ['7', '7'],
    );
    assert.deepEqual(
      one('id: 7\ndata: a\n\nid\ndata: b\n\n').map(({ id }) => id),
      ['7', ''],
    );
    assert.deepEqual(one('id: a\0b\ndata: x\n\n')[0]?.id, '');
    assert.deepEqual(one('unknown: x\nDATA: y\ndata: z\n\n')[0]?.data, 'z');
  });

  it('says how long to stay away', () => {
    const parser = createEventParser(100);
    parser.push('retry: soon\n\n');
    assert.equal(parser.retryMs(), undefined);
    parser.push('retry: 2000\n\n');
    assert.equal(parser.retryMs(), 2_000);
  });

  it('ends with an error where a line or an event grows without end', () => {
    const endless = (piece: string) => () => {
      const parser = createEventParser(10_000);
      for (let times = 0; times < 100; times++) parser.push(piece);
    };
    assert.throws(endless('x'.repeat(500)), { code: 'ANSWER_INVALID' });
    assert.throws(endless(`data: ${'x'.repeat(500)}\n`), { code: 'ANSWER_INVALID' });
    assert.doesNotThrow(endless(`data: ${'x'.repeat(500)}\n\n`));
  });

  it('takes time in proportion to its length, also character by character', () => {
    const parser = createEventParser(10_000_000);
    for (let times = 0; times < 1_000_000; times++) parser.push('x');
    assert.deepEqual(parser.push('\n\n'), []);
  });
});
