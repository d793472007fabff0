import { writeFileSync } from 'node:fs';
import { ROUTES } from '../src/surfaces/http/routes/index.ts';
import { sendExample, skipExample } from '../test/support/examples.ts';
import { createWorld } from '../test/support/world.ts';

/**
 * Writes src/surfaces/http/answers.json: what every route answered to its example, for the API document. Ids, times, figures
 * that differ from run to run, and secrets are replaced by values that always look the same. A route that fails stays out.
 */
const FILE = 'src/surfaces/http/answers.json';
const MAX_TEXT = 120;
const MAX_ITEMS = 2;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const SECRET = /^(key|secret|session_key|path|prefix)$/;

await using world = await createWorld();
const answers: Record<string, unknown> = {};
for (const entry of ROUTES) {
  if (skipExample(entry) !== undefined || entry.response === undefined) continue;
  const sent = await sendExample(world, entry);
  if (sent.status === sent.expected) answers[entry.id] = settle(sent.body, new Map());
  else console.error(`${entry.id}: ${sent.status} ${sent.text}`);
}
const sorted = Object.fromEntries(Object.entries(answers).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(FILE, `${JSON.stringify(sorted, null, 2)}\n`);
console.log(`${Object.keys(sorted).length} answers in ${FILE}`);

function settle(value: unknown, ids: Map<string, string>, name = ''): unknown {
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((entry) => settle(entry, ids));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, settle(inner, ids, key)]));
  if (typeof value === 'number' && /(_ms|^ms|^pid|^bytes)$/.test(name)) return 12;
  if (typeof value !== 'string') return value;
  if (TIME.test(value)) return '2026-01-01T12:00:00.000Z';
  if (SECRET.test(name)) return value.replace(/[\w+/=-]{12,}/g, '…');
  return cut(
    value
      .replaceAll(world.site.origin, 'https://example.com')
      .replaceAll(`127.0.0.1:${world.site.port}`, 'example.com')
      .replace(UUID, (id) => {
        if (!ids.has(id)) ids.set(id, `01920000-0000-7000-8000-${String(ids.size + 1).padStart(12, '0')}`);
        return ids.get(id)!;
      }),
  );
}

/** Whole characters: half a surrogate pair is no text. */
function cut(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT).toWellFormed()}…` : text;
}
