import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { newSecret, signMessage } from './sign-message.ts';

test('a signature covers id, time and body, and has the form v1,base64', () => {
  const secret = `whsec_${Buffer.from('a secret of some length').toString('base64')}`;
  const expected = createHmac('sha256', 'a secret of some length').update('msg_1.1700000000.{"a":1}').digest('base64');
  assert.equal(signMessage([secret], 'msg_1', 1_700_000_000, '{"a":1}'), `v1,${expected}`);
  assert.equal(signMessage([secret.slice(6)], 'msg_1', 1_700_000_000, '{"a":1}'), `v1,${expected}`);
  assert.notEqual(signMessage([secret], 'msg_2', 1_700_000_000, '{"a":1}'), `v1,${expected}`);
});

test('while a secret changes, the message carries both signatures', () => {
  const [now, before] = [newSecret(), newSecret()];
  const both = signMessage([now, before], 'msg_1', 1, 'x').split(' ');
  assert.deepEqual(both, [signMessage([now], 'msg_1', 1, 'x'), signMessage([before], 'msg_1', 1, 'x')]);
});

test('a new secret is 32 bytes and never the same; an empty one is refused', () => {
  assert.notEqual(newSecret(), newSecret());
  assert.equal(Buffer.from(newSecret().slice(6), 'base64').length, 32);
  for (const empty of ['', 'whsec_'])
    assert.throws(() => signMessage([empty], 'a', 1, 'b'), { code: 'CONFIG_INVALID' });
});
