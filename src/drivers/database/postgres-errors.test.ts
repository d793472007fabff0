import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mapError } from './postgres-errors.ts';

const failure = (code: string | undefined, message = 'message') => Object.assign(new Error(message), { code });

const CASES: [string, Error, string][] = [
  ['a refused connection', failure('ECONNREFUSED'), 'DATABASE_DOWN'],
  ['a socket that is not there', failure('ENOENT'), 'DATABASE_DOWN'],
  ['several addresses that all refuse', new AggregateError([failure('ECONNREFUSED')]), 'DATABASE_DOWN'],
  ['a connection that ended', failure(undefined, 'Connection terminated unexpectedly'), 'DATABASE_DOWN'],
  ['a server that shuts down', failure('57P01'), 'DATABASE_DOWN'],
  ['a server that starts up', failure('57P03'), 'DATABASE_DOWN'],
  ['too many connections', failure('53300'), 'DATABASE_DOWN'],
  ['a full disk', failure('53100'), 'DISK_FULL'],
  ['a full disk met in a file', failure('58030', 'could not write: No space left on device'), 'DISK_FULL'],
  ['a wrong password', failure('28P01'), 'CONFIG_INVALID'],
  ['an unknown database', failure('3D000'), 'CONFIG_INVALID'],
  ['a broken rule of a table', failure('23505'), 'INTERNAL_ERROR'],
  ['a fault of our own', new TypeError('x is not a function'), 'INTERNAL_ERROR'],
];

for (const [name, thrown, code] of CASES)
  test(`${name} is ${code}`, () => {
    const error = mapError(thrown);
    assert.equal(error.code, code);
    assert.equal(error.cause, thrown);
    const state = (thrown as { code?: string }).code;
    const isState = state !== undefined && /^[0-9A-Z]{5}$/.test(state) && /\d/.test(state);
    assert.equal(error.details?.sqlstate, isState ? state : undefined);
  });

test('an error that is already ours stays as it is', () => {
  const error = mapError(failure('53100'));
  assert.equal(mapError(error), error);
});
