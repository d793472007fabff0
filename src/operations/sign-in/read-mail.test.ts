import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readMail } from './read-mail.ts';

it('takes an address and its verification from one place alone', () => {
  const [mine, other] = ['mine@example.com', 'other@example.com'];
  const read = readMail;
  assert.deepEqual(read({ email: mine, email_verified: true }, {}), { email: mine, verified: true });
  assert.deepEqual(read({}, { email: mine, email_verified: 'true' }), { email: mine, verified: true });
  assert.deepEqual(read({ email: other }, { email: mine, email_verified: true }), { email: mine, verified: true });
  assert.deepEqual(read({ email: other, email_verified: false }, { email: mine, email_verified: true }), {
    email: other,
    verified: false,
  });
  assert.equal(read({ email_verified: true }, { email: other }).verified, false);
  for (const word of [1, 'yes', 'TRUE', ['true'], {}, null, undefined])
    assert.equal(read({}, { email: mine, email_verified: word }).verified, false);
  for (const email of ['no address', 'a\0@b.c', 7, null, ['a@b.c']])
    assert.equal(read({}, { email, email_verified: true }).email, undefined);
});
