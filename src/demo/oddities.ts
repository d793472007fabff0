import { gzipSync } from 'node:zlib';
import { makePdf, makePng } from './files.ts';
import { renderPage } from './layout.ts';
import { renderMarkup } from './markup.ts';
import { PRODUCTS } from './products.ts';
import { html, type Reply, type Route, type Visit } from './reply.ts';

const page = (path: string, title: string, body: string, head = '', language = 'en') =>
  renderPage({ title, path, head, language, body: `<article>\n<h1>${title}</h1>\n${renderMarkup(body)}\n</article>` });

const LATIN = `A field test in four places: Café Zürich on its roof terrace at 408 metres, a finca near Logroño, the garden of Señora
Núñez and the façade of a school in Århus. The Wren read 21.5 °C on the first noon, and the façade added 1.8 °C to it.

The naïve mounting, on the wall at arm's length, was the worst in all four places. The prize of £25 for the best mast went to Logroño.`;

const GERMAN = `Willkommen bei Meadowlark. Diese Seite erklärt in wenigen Sätzen, wie die Station aufgebaut wird und worauf im ersten Winter
zu achten ist. Der Sensor gehört zwei Meter über den Rasen, nicht an die Hauswand, und die Batterie hält etwa vier Jahre.

## Der erste Abend
Nach dem Einschalten dauert es neunzig Sekunden, bis die Lampe weiß leuchtet. Danach öffnet man die Seite des Gerätes im Browser und
vergibt einen Namen. Wer den Frostwächter nutzen möchte, stellt zuerst Höhe und Lage des Ortes ein.`;

const report = (
  station: string,
) => `Report for the season. The mast stands on a south slope between two rows of young trees, at the
height of four hundred and twelve metres. The season had one hundred and eighty-one days, of which thirty-four had rain, eleven had frost and two had
hail. The warmest day was the ninth of August, the coldest morning the eleventh of April.

Rain came to four hundred and ninety-six millimetres, a little less than the mean of ten years. Most of it fell in June, when a single
evening brought forty-one millimetres in two hours and the lower path was washed out. The soil at thirty centimetres never fell below
the wilting point, although it came close in the last week of July.

Wind was weak as always in this valley. The strongest gust reached nineteen metres per second on the last day of May and broke one branch. The
leaf sensor counted three hundred and six wet hours, and the model asked for six treatments, of which five were done.

The hub was without power twice, once for nine hours. No reading was lost. Batteries stand at eighty-eight percent on average. The frost
probe moved by a metre in May because the tree it hung on was cut.

The gauge was compared with a second one by hand on nine evenings and agreed within two percent on all of them. The wind sensor was taken down for a day in
March to clear a nest from its bracket; the birds moved to the shed roof and did well there. In autumn the lower cable will get a pipe around it, since a
hare has begun to take an interest.

For the next season we plan a second probe at the foot of the slope, where the fog stays longest, and a new battery for the hub. The books of the last
ten years are in the cupboard of the school and may be read on Thursdays. Signed by the keeper of station ${station}.`;

const MANUAL = [
  'This manual fits on one page, so that it can be nailed to the shed door.',
  'Raise the mast on a calm day and never under a power line.',
  'Turn the red notch of the anemometer to true north.',
  'Brush the lowest gap of the radiation shield each spring.',
  'Empty the bronze sieve of the rain gauge after the leaves have fallen.',
  'Torque for the mast clamp: nine newton metres, no more.',
  'In a thunderstorm stay away from the mast, whatever the readings say.',
];

/** The shell of an application in the browser: empty until its scripts have run and fetched their data. */
const LIVE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Live readings · Meadowlark</title>
<link rel="stylesheet" href="/style.css">
<script>window.live = { data: '/live/data.json' };</script>
<script src="/live/view.js" defer></script>
<script src="/live/start.js" defer></script>
</head>
<body><noscript>Turn on JavaScript to see the readings.</noscript><main id="app"></main></body>
</html>
`;

const LIVE_VIEW = `window.show = (data) => {
  const app = document.getElementById('app');
  const add = (tag, text) => app.appendChild(document.createElement(tag)).append(text);
  add('h1', 'Live readings of the test meadow');
  for (const line of data.lines) add('p', line);
};
`;
const LIVE_START = `fetch(window.live.data).then((answer) => answer.json()).then(window.show);
`;
const script = (body: string): Reply => ({ status: 200, type: 'text/javascript; charset=utf-8', body });

const LIVE_LINES = [
  'The test meadow behind the workshop has been measured every minute since the first prototype was put on a broom stick.',
  'At this moment the grass is wet, the wind comes over the orchard from the south-west, and the barometer is falling slowly.',
  'This paragraph reaches the page through a script; a crawler that does not run scripts never sees the word quicksilver-thistle.',
];

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** Each month links to the next and the one before, for ever. */
function calendar({ path }: Visit): Reply | undefined {
  const [, yearText, monthText, dayText] = /^\/calendar\/(\d{4})\/(\d{2})(?:\/(\d{2}))?$/.exec(path) ?? [];
  const year = Number(yearText);
  const month = Number(monthText);
  if (yearText === undefined || month < 1 || month > 12) return undefined;
  const at = (offset: number) => {
    const index = year * 12 + month - 1 + offset;
    return `/calendar/${String(Math.floor(index / 12)).padStart(4, '0')}/${String((index % 12) + 1).padStart(2, '0')}`;
  };
  const name = `${MONTHS[month - 1]} ${year}`;
  const open = 1 + ((year * 5 + month * 3) % 27);
  const body =
    dayText === undefined
      ? `Open days of the workshop in ${name}. Come on [the ${open}th](${at(0)}/${String(open).padStart(2, '0')}) between nine and noon.

[Earlier](${at(-1)}) and [later](${at(1)}).`
      : `On this day in ${name} the workshop door is open from nine to noon. Back to [the month](${at(0)}).`;
  return html(page(path, `Open days: ${name}${dayText === undefined ? '' : ` ${dayText}`}`, body));
}

const fixed = (
  path: string,
  title: string,
  body: string,
  head = '',
  headers?: Record<string, string>,
): [string, Route] => [path, () => html(page(path, title, body, head), headers)];

/** Pages that test a crawler, each reachable from /curiosities. */
export const ODD_ROUTES: ReadonlyMap<string, Route> = new Map<string, Route>([
  fixed(
    '/curiosities',
    'Curiosities',
    `This site was built to be crawled. These addresses behave as the web does on a bad day.

- [The old handbook](/old-handbook) has moved for good.
- [A page that was never written](/missing)
- [A busy page](/busy) asks the first visitor to come back in a second.
- [A flaky page](/flaky) fails twice and then works.
- [A page in Latin-1](/notes/field-test)
- [Erste Schritte](/de/erste-schritte), in German
- Reports of [station A](/reports/station-a), [station B](/reports/station-b) and [station C](/reports/station-c), nearly the same
- [Open days](/calendar/2026/06), without end
- [Live readings](/live/meadow), filled by a script
- [The field manual](/files/field-manual.pdf) as PDF
- [Firmware](/files/firmware-2.4.1.zip), not for reading
- [Prototypes](/private/prototypes), which robots.txt forbids
- [The glossary for printing](/docs/glossary?print=1), forbidden by a pattern
- [The shop with a session](/shop/?PHPSESSID=3b1f0a9c77d24e51a6c2d90e4f8b1234)
- [A checklist](/notes/checklist) that asks not to be indexed, and [another](/notes/rota) that says so in a header
- [A guest page](/notes/guests) whose links must not be followed
- [Another site](https://example.org/)`,
  ),
  ['/old-handbook', () => ({ status: 301, type: 'text/plain', body: 'moved', headers: { location: '/docs/' } })],
  [
    '/busy',
    ({ hits }) =>
      hits === 0
        ? { status: 429, type: 'text/plain', body: 'come back in a second', headers: { 'retry-after': '1' } }
        : html(
            page(
              '/busy',
              'The busy page',
              'Thank you for waiting. The counter of the workshop serves one visitor at a time, like the village bakery does on Saturdays.',
            ),
          ),
  ],
  [
    '/flaky',
    ({ hits }) =>
      hits < 2
        ? { status: 500, type: 'text/plain', body: 'the relay is stuck' }
        : html(
            page(
              '/flaky',
              'The flaky page',
              'The relay was stuck and has been knocked loose. This page fails twice for each start of the site and then recovers, as relays do.',
            ),
          ),
  ],
  [
    '/notes/field-test',
    () => {
      const text = page('/notes/field-test', 'Field test in four places', LATIN).replace(
        'charset="utf-8"',
        'charset="iso-8859-1"',
      );
      return { status: 200, type: 'text/html', body: Buffer.from(text.replaceAll(/[·›←→]/g, '-'), 'latin1') };
    },
  ],
  ['/de/erste-schritte', () => html(page('/de/erste-schritte', 'Erste Schritte', GERMAN, '', 'de'))],
  fixed('/reports/station-a', 'Season report', report('Ash')),
  fixed('/reports/station-b', 'Season report', report('Elm')),
  fixed('/reports/station-c', 'Season report', report('East')),
  ['/live/meadow', () => html(LIVE)],
  ['/live/view.js', () => script(LIVE_VIEW)],
  ['/live/start.js', () => script(LIVE_START)],
  ['/live/data.json', () => ({ status: 200, type: 'application/json', body: JSON.stringify({ lines: LIVE_LINES }) })],
  [
    '/files/field-manual.pdf',
    () => ({ status: 200, type: 'application/pdf', body: makePdf('Field manual of the Meadowlark station', MANUAL) }),
  ],
  [
    '/files/firmware-2.4.1.zip',
    () => ({ status: 200, type: 'application/zip', body: gzipSync('not a real firmware') }),
  ],
  fixed('/private/prototypes', 'Prototypes', 'Nobody should read this: robots.txt forbids it.'),
  fixed(
    '/notes/checklist',
    'Checklist',
    'A list for ourselves: grease, gaskets, spare screws, coffee.',
    '<meta name="robots" content="noindex">\n',
  ),
  fixed('/notes/rota', 'Rota', 'Who sweeps the workshop this week: Ada, then Tom, then whoever spilled.', '', {
    'x-robots-tag': 'noindex',
  }),
  fixed(
    '/notes/guests',
    'Guest page',
    'Our guests wrote down where they came from. One of them left [a link](/notes/behind-nofollow) that we do not vouch for.',
    '<meta name="robots" content="nofollow">\n',
  ),
  fixed(
    '/notes/behind-nofollow',
    'Behind nofollow',
    'Whoever reads this followed a link that asked not to be followed.',
  ),
  fixed(
    '/notes/hidden-meadow',
    'The hidden meadow',
    'No page links here; only the sitemap knows the way. The hidden meadow lies behind the brickworks and is mown once a year, for the sake of the corncrakes.',
  ),
  ...PRODUCTS.map(({ sku }, index): [string, Route] => [
    `/images/${sku.toLowerCase()}.png`,
    () => ({ status: 200, type: 'image/png', body: makePng(index) }),
  ]),
]);

/** Addresses that are computed, not listed. */
export const answerOdd = (visit: Visit): Reply | undefined => calendar(visit);
