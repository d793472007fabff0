import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseEnv } from 'node:util';
import { describeSettings } from './describe.ts';
import { envExample } from './env-example.ts';
import { loadSettings } from './load.ts';

const LINE = /^# ([A-Z0-9_]+=.*)$/;

it('.env.example has a line with a comment for every setting, and no value for a secret', () => {
  const lines = envExample()
    .split('\n')
    .filter((line) => LINE.test(line));
  const names = lines.map((line) => line.slice(2, line.indexOf('=')));
  assert.deepEqual(
    names,
    describeSettings(loadSettings({})).map(({ name }) => name),
  );
  for (const line of lines) assert.match(line, / # \S.{5,}$/);
  assert.match(lines.find((line) => line.startsWith('# DATABASE__POSTGRES_URL='))!, /URL= +#/);
});

it('.env.example as it is changes nothing, and with every line turned on sets every default', () => {
  assert.deepEqual(parseEnv(envExample()), {});
  const turnedOn = envExample()
    .split('\n')
    .map((line) => line.replace(LINE, '$1'))
    .join('\n');
  const { settings, warnings } = loadSettings(parseEnv(turnedOn));
  assert.deepEqual(settings, loadSettings({}).settings);
  assert.deepEqual(warnings, []);
});
