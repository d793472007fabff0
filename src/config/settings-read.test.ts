import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { GROUPS, groupFields } from './names.ts';

/** A setting that nothing reads has no effect. Engines without a driver refuse to start, so theirs are left out. */
test('every setting is read somewhere', () => {
  const root = join(import.meta.dirname, '..');
  const code = globSync('**/*.{ts,mjs}', { cwd: root })
    .filter((file) => !file.startsWith('config/settings') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n');
  const words = new Set(code.match(/\b[a-zA-Z]\w*/g));
  const names = Object.entries(GROUPS).flatMap(([group, schema]) => {
    if (/no driver in this version/.test(schema.description ?? '')) return [];
    const fields = groupFields(schema);
    return fields === undefined ? [group] : Object.keys(fields).map((field) => field);
  });
  assert.ok(names.length > 100);
  assert.deepEqual(
    names.filter((name) => !words.has(name)),
    [],
  );
});
