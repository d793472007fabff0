import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readCanonicalLink } from './link-header.ts';

describe('canonical address of a Link field', () => {
  const cases: [name: string, header: string | undefined, expected: string | undefined][] = [
    ['no field', undefined, undefined],
    ['one link', '<https://a.test/x>; rel="canonical"', 'https://a.test/x'],
    ['without quotes, in capitals', '</x>; REL=Canonical', '/x'],
    ['among others', '</a.css>; rel=preload; as=style, </x>; rel="alternate canonical"; title="a, b; rel=x"', '/x'],
    ['a comma and a semicolon inside the target', '</a,b;c>; rel=canonical', '/a,b;c'],
    ['a quoted comma before it', '</next>; title="say \\", \\"; rel=canonical"; rel=next, </x>; rel=canonical', '/x'],
    ['another relation', '</x>; rel="next"', undefined],
    ['the word in a title only', '</x>; rel=next; title=canonical', undefined],
    ['the first rel of a link counts', '</x>; rel=next; rel=canonical', undefined],
    ['two that agree', '</x>; rel=canonical, </x>; rel=canonical', '/x'],
    ['two that differ', '</x>; rel=canonical, </y>; rel=canonical', undefined],
    ['a target that is not closed', '</x; rel=canonical', undefined],
    ['a quote that is not closed', '</x>; rel="canonical', '/x'],
  ];
  for (const [name, header, expected] of cases) it(name, () => assert.equal(readCanonicalLink(header), expected));

  it('reads whatever is sent', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('<', '>', ';', ',', '"', '\\', '=', 'rel', 'canonical', '/x', ' ')),
        (parts) => {
          const found = readCanonicalLink(parts.join(''));
          return found === undefined || parts.join('').includes(found);
        },
      ),
    );
  });
});
