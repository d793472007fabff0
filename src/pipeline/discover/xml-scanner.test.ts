import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { XmlScanner } from './xml-scanner.ts';

function scan(pieces: string[]): string {
  const events: string[] = [];
  let text = '';
  const flush = () => {
    if (text !== '') events.push(text);
    text = '';
  };
  const scanner = new XmlScanner({
    onOpen: (name, attributes) => {
      flush();
      events.push(`<${name}${Object.entries(attributes).map(([key, value]) => ` ${key}=${value}`)}>`);
    },
    onText: (piece) => {
      text += piece;
    },
    onClose: (name) => {
      flush();
      events.push(`</${name}>`);
    },
  });
  for (const piece of pieces) scanner.write(piece);
  scanner.end();
  flush();
  return events.join('');
}

const DOCUMENT = `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x "y>">]><a:r xmlns:a="urn:x"><a:b c='1 &gt; 2'/>t &amp; &#233;&#x41;&eacute;
<!-- <no> --><![CDATA[<raw> &amp;]]><d>1 < 2</D></a:r>`;

test('reports elements, attributes and text', () => {
  assert.equal(scan([DOCUMENT]), '<r xmlns:a=urn:x><b c=1 > 2></b>t & \u00e9A\u00e9\n<raw> &amp;<d>1 < 2</d></r>');
});

test('pieces make no difference', () => {
  const whole = scan([DOCUMENT]);
  fc.assert(
    fc.property(fc.array(fc.nat(DOCUMENT.length), { maxLength: 12 }), (cuts) => {
      const edges = [0, ...cuts.toSorted((a, b) => a - b), DOCUMENT.length];
      const pieces = edges.slice(1).map((end, index) => DOCUMENT.slice(edges[index], end));
      assert.equal(scan(pieces), whole);
    }),
  );
});

test('every open has its close, in order, for any input', () => {
  const token = fc.constantFrom(
    '<a>',
    '</a>',
    '<b x="1">',
    '</b>',
    '<c/>',
    '<',
    '>',
    '&',
    '"',
    'text',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '<?',
    '?>',
    '<!D',
    '[',
  );
  fc.assert(
    fc.property(fc.array(token, { maxLength: 60 }), (tokens) => {
      const open: string[] = [];
      const scanner = new XmlScanner(
        {
          onOpen: (name) => open.push(name),
          onText: () => {},
          onClose: (name) => assert.equal(open.pop(), name),
        },
        { maxDepth: 4, flat: new Set(['b']) },
      );
      for (const piece of tokens) scanner.write(piece);
      scanner.end();
      assert.deepEqual(open, []);
    }),
    { numRuns: 500 },
  );
});
