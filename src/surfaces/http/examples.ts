import type { Example, Route } from './route.ts';

/**
 * Examples name things by placeholders: `{crawl}` is the id of a crawl. The document shows ids that look real; the test that
 * sends every example fills in real ones.
 */

/** The thing each path parameter names: by the folder before it, or by its own name. */
function thingsOf(path: string): Record<string, string> {
  const parts = path.split('/');
  const found = [...parts.entries()].filter(([, part]) => part.startsWith(':'));
  return Object.fromEntries(found.map(([at, part]) => [part.slice(1), thingOf(parts[at - 1]!, part.slice(1))]));
}

const thingOf = (folder: string, name: string): string => {
  if (name !== 'id') return name.replace(/Id$/, '');
  return folder.replace(/ies$/, 'y').replace(/s$/, '').replaceAll('-', '_');
};

/** Stands for what the document cannot know. */
const SHOWN: Record<string, string> = {
  domain: 'example.com',
  token: 'bzE3Zml2ZQ.c2lnbmF0dXJl',
  password: 'correct horse battery staple',
  site: 'https://example.com',
  proxy_url: 'http://proxy.example.com:8080',
  spare_domain: 'example.org',
  proxied_domain: 'example.org',
  email: 'admin@example.com',
  login_token: 'c2hvd24tb25jZQ',
  number: '2',
};

/** An id that looks like those of the program, the same for the same thing. */
function showId(thing: string): string {
  let number = 0;
  for (const letter of thing) number = (number * 31 + letter.codePointAt(0)!) % 0xffffffffffff;
  return `01920000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;
}

export interface FilledExample {
  params: Record<string, string>;
  query: Record<string, string>;
  body: unknown;
}

/** The example of a route with its placeholders filled in; parameters that it leaves out follow from the path. */
export function fillExample(
  entry: Route,
  nameOf: (thing: string) => string = (thing) => SHOWN[thing] ?? showId(thing),
): FilledExample {
  const example: Example = entry.example ?? {};
  const fill = <Value>(value: Value): Value =>
    JSON.parse(JSON.stringify(value ?? null), (_, inner: unknown) =>
      typeof inner === 'string' ? inner.replace(/\{([a-z_]+)\}/g, (__, thing: string) => nameOf(thing)) : inner,
    ) as Value;
  const things = Object.entries(thingsOf(entry.path)).map(([name, thing]) => [name, `{${thing}}`]);
  return {
    params: fill({ ...Object.fromEntries(things), ...example.params }),
    query: fill({ ...example.query }),
    body: example.body === undefined ? undefined : fill(example.body),
  };
}
