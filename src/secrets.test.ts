import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createSecrets, isSealed, KEY_BYTES, keyIdOf } from './secrets.ts';

const [first, second] = [randomBytes(KEY_BYTES), randomBytes(KEY_BYTES)];

describe('secrets', () => {
  it('open as what was sealed, and look different each time', () => {
    const secrets = createSecrets(() => [first]);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (text, purpose) => {
        const sealed = secrets.seal(purpose, text.toWellFormed());
        assert.ok(isSealed(sealed));
        assert.notEqual(sealed, secrets.seal(purpose, text.toWellFormed()));
        assert.equal(secrets.open(purpose, sealed), text.toWellFormed());
      }),
    );
  });

  it('do not open after any change of a character, nor for another purpose', () => {
    const secrets = createSecrets(() => [first]);
    const sealed = secrets.seal('proxy', 'a password');
    assert.throws(() => secrets.open('webhook', sealed), { code: 'SECRET_DAMAGED' });
    const start = sealed.lastIndexOf(':') + 1;
    fc.assert(
      fc.property(
        fc.integer({ min: start, max: sealed.length - 2 }),
        fc.constantFrom('A', 'b', '7', '_'),
        (at, letter) => {
          fc.pre(sealed[at] !== letter);
          const changed = sealed.slice(0, at) + letter + sealed.slice(at + 1);
          assert.throws(() => secrets.open('proxy', changed), { code: 'SECRET_DAMAGED' });
        },
      ),
    );
    for (const text of ['', 'a password', 'enc:v1:', `${sealed}!`, sealed.slice(0, start + 10)])
      assert.throws(() => secrets.open('proxy', text), { code: 'SECRET_DAMAGED' }, text);
  });

  it('of an older key open while it is known; the newest seals, also in a process that runs', () => {
    let keys = [first];
    const secrets = createSecrets(() => keys);
    const old = secrets.seal('x', 'old');
    keys = [second, first];
    const fresh = secrets.seal('x', 'fresh');
    assert.ok(fresh.includes(keyIdOf(second)) && secrets.keyId() === keyIdOf(second));
    assert.deepEqual([secrets.open('x', old), secrets.open('x', fresh)], ['old', 'fresh']);
    keys = [second];
    assert.throws(() => createSecrets(() => keys).open('x', old), { code: 'SECRETS_KEY_MISSING' });
    assert.throws(() => createSecrets(() => []).seal('x', ''), { code: 'SECRETS_KEY_MISSING' });
  });
});
