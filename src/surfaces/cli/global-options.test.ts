import assert from 'node:assert/strict';
import { it } from 'node:test';
import { takeGlobalOptions } from './global-options.ts';

it('options of every command stand anywhere before --, and are taken out', () => {
  assert.deepEqual(takeGlobalOptions(['--server', 'https://a', 'search', 'x', '--key=k', '--limit', '3']), {
    given: { server: 'https://a', key: 'k' },
    rest: ['search', 'x', '--limit', '3'],
  });
  assert.deepEqual(takeGlobalOptions(['search', '--profile', 'work', '--', '--server', 'x']), {
    given: { profile: 'work' },
    rest: ['search', '--', '--server', 'x'],
  });
  assert.deepEqual(takeGlobalOptions(['x', '--key', '-']), { given: { key: '-' }, rest: ['x'] });
  assert.deepEqual(takeGlobalOptions(['x', '--keys', '--serverless']), {
    given: {},
    rest: ['x', '--keys', '--serverless'],
  });
});

it('an option without its value is refused', () => {
  for (const args of [['--server'], ['--server', '--json'], ['--key='], ['--profile', '--', 'x']])
    assert.throws(() => takeGlobalOptions(args), { code: 'USAGE' });
});
