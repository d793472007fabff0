import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { fileNameOf } from './file-name.ts';

describe('names of exported files', () => {
  it('are safe whatever the address', () => {
    const part = fc.oneof(
      fc.string(),
      fc.constantFrom('..', '.', 'CON', 'nul.txt', '%2e%2e', '%00', '%2f', 'a'.repeat(300), 'ü%C3%BC'),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
        const name = fileNameOf(`https://x.example/${parts.join('/')}`);
        assert.match(name, /^x\.example\/.+\.md$/s);
        for (const each of name.split('/')) {
          assert.ok(each !== '' && each !== '.' && each !== '..', name);
          assert.ok(Buffer.byteLength(each) <= 255, each);
          assert.doesNotMatch(each, /[\\:*?"<>|\p{Cc}]|^\.|\.$/u);
          assert.doesNotMatch(each.split('.')[0]!, /^(con|prn|aux|nul|com\d|lpt\d)$/i);
        }
      }),
    );
  });

  it('differ where addresses do, whatever the case, and stay the same', () => {
    const urls = [
      'https://x.example/a',
      'https://x.example/A',
      'https://x.example/a?b=1',
      'https://x.example/a/',
      'upload:a',
    ];
    assert.equal(new Set(urls.map((url) => fileNameOf(url).toLowerCase())).size, urls.length);
    assert.equal(fileNameOf('https://x.example/docs/start.html'), 'x.example/docs/start-defc15b0acd6.md');
    assert.match(fileNameOf('https://x.example/'), /^x\.example\/index-/);
  });
});
