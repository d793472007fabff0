import { DOCS, POSTS, SECTION_NAMES } from './content.ts';
import { changeDays, fieldNote, priceOn } from './days.ts';
import { renderPage } from './layout.ts';
import { escapeHtml, renderMarkup } from './markup.ts';
import { renderProduct } from './product-page.ts';
import { aboutFamily, FAMILY_NAMES, PRODUCTS, slugOf } from './products.ts';
import { html, type Route } from './reply.ts';

const FIRST_DAY = Date.UTC(2026, 5, 1);
const DAY_MS = 86_400_000;

/** The site's own calendar: day 0 is the first of June 2026. */
export const dateOf = (day: number) => new Date(FIRST_DAY + day * DAY_MS).toISOString().slice(0, 10);

const link = (href: string, label: string) => `<a href="${href}">${escapeHtml(label)}</a>`;
const cards = (items: [href: string, label: string, note: string][]) =>
  `<ul class="cards">\n${items.map(([href, label, note]) => `<li>${link(href, label)}<p>${escapeHtml(note)}</p></li>`).join('\n')}\n</ul>`;

const SHOP = `Everything here is made by us or by people we know by name, and all of it can be repaired. Prices hold for a day; what is out of
stock is being built, not discontinued. We ship on Tuesdays, in boxes that have been used before.`;
const JOURNAL = `Notes from the workshop and the field, mostly about things that went wrong and what they taught us. A new one appears when there is
something to say, which is about once a month.`;
const MANUAL = `Read the first steps in order; the rest is for looking things up. Every page was tried on a real roof by someone who had not
written it.`;

const renderHome = () =>
  renderPage({
    title: 'Weather and soil sensors for small farms',
    description: 'A hub, a mesh of sensors and the models that make sense of them, all on your own ground.',
    path: '/',
    body: `<section class="hero"><h1>Know the air over your own field</h1>
<p>Sensors for small farms, vineyards and gardens. They talk to a hub in your shed, and to nobody else.</p>
<p>${link('/docs/what-is-meadowlark', 'What Meadowlark is')}</p></section>
<h2>Read</h2>
${cards([
  ['/docs/', 'Documentation', 'Sixty pages from the first screw to the HTTP interface.'],
  ['/blog/', 'Journal', 'What we measured, broke and learned.'],
  ['/shop/', 'Shop', 'Forty things to put on a mast.'],
  ['/curiosities', 'Curiosities', 'Pages that behave badly, for those who write crawlers.'],
])}`,
  });

const renderDocsIndex = () =>
  renderPage({
    title: 'Documentation',
    description: 'All pages of the Meadowlark documentation.',
    path: '/docs/',
    body: `<h1>Documentation</h1>\n<p>${MANUAL}</p>\n${SECTION_NAMES.map(
      (section) =>
        `<h2>${section}</h2>\n${cards(DOCS.filter((page) => page.section === section).map((page) => [`/docs/${page.slug}`, page.title, page.note]))}`,
    ).join('\n')}`,
  });

function renderDoc(index: number, day: number): string {
  const page = DOCS[index]!;
  const previous = DOCS[(index + DOCS.length - 1) % DOCS.length]!;
  const next = DOCS[(index + 1) % DOCS.length]!;
  const notes = changeDays('docs', index, day);
  const updated = dateOf(notes.at(-1) ?? -(index + 3));
  return renderPage({
    title: page.title,
    description: page.note,
    path: `/docs/${page.slug}`,
    head: `<meta property="article:modified_time" content="${updated}T08:00:00Z">\n`,
    body: `<p class="crumbs"><a href="/docs/">Documentation</a> › ${page.section}</p>
<article>
<h1>${escapeHtml(page.title)}</h1>
<p class="summary">${escapeHtml(page.note)}.</p>
${renderMarkup(page.body)}
${notes.map((each) => `<p>${escapeHtml(fieldNote(index, each))}</p>`).join('\n')}
</article>
<p class="crumbs">Updated on <time datetime="${updated}">${updated}</time> · ${link(`/docs/${previous.slug}`, `← ${previous.title}`)} · ${link(`/docs/${next.slug}`, `${next.title} →`)}</p>`,
  });
}

const renderShop = () =>
  renderPage({
    title: 'Shop',
    description: 'Hubs, sensors, masts, power and books.',
    path: '/shop/',
    body: `<h1>Shop</h1>\n<p>${SHOP}</p>\n${cards(FAMILY_NAMES.map((family) => [`/shop/family/${slugOf(family)}`, family, `${PRODUCTS.filter((product) => product.family === family).length} products`]))}`,
  });

const renderFamily = (family: string) =>
  renderPage({
    title: family,
    description: `Everything in the family ${family}.`,
    path: `/shop/family/${slugOf(family)}`,
    body: `<p class="crumbs"><a href="/shop/">Shop</a></p>\n<h1>${escapeHtml(family)}</h1>\n<p>${escapeHtml(aboutFamily(family))}</p>\n${cards(PRODUCTS.filter((product) => product.family === family).map((product) => [`/shop/${product.slug}`, product.name, product.description]))}`,
  });

const renderBlog = () =>
  renderPage({
    title: 'Journal',
    description: 'What we measured, broke and learned.',
    path: '/blog/',
    body: `<h1>Journal</h1>\n<p>${JOURNAL}</p>\n${cards(POSTS.map((post) => [`/blog/${post.slug}`, post.title, post.note]))}`,
  });

function renderPost(index: number): string {
  const post = POSTS[index]!;
  return renderPage({
    title: post.title,
    path: `/blog/${post.slug}`,
    head: `<meta property="article:published_time" content="${post.note}T07:00:00Z">\n<meta name="author" content="Ada Fennick">\n`,
    body: `<article>\n<h1>${escapeHtml(post.title)}</h1>
<p class="date"><time datetime="${post.note}">${post.note}</time> by Ada Fennick</p>
${renderMarkup(post.body)}\n</article>`,
  });
}

const ABOUT = `Meadowlark Instruments is a workshop of seven people in a former dairy. We build sensors we would want to repair ourselves:
screws instead of glue, cells instead of packs, drawings in the box.

## How we work
Every housing spends a winter on our own roof before it is sold. What fails there ends in the [journal](/blog/), with a photograph of the
snail that did it.`;

const IMPRINT = `Meadowlark Instruments, The Old Dairy, Larkfield. Represented by Ada Fennick and Tom Ashdown.

The company, its people, its products and its prices are invented. Any likeness to a real instrument is an accident. The texts may be copied for any purpose.`;

const simple = (path: string, title: string, body: string) => () =>
  html(renderPage({ title, path, body: `<article>\n<h1>${title}</h1>\n${renderMarkup(body)}\n</article>` }));

/** The well-behaved part of the site: every address with what it serves. */
export function ordinaryRoutes(): Map<string, Route> {
  return new Map<string, Route>([
    ['/', () => html(renderHome())],
    ['/about', simple('/about', 'About the workshop', ABOUT)],
    ['/imprint', simple('/imprint', 'Imprint', IMPRINT)],
    ['/docs/', () => html(renderDocsIndex())],
    ...DOCS.map(({ slug }, index): [string, Route] => [`/docs/${slug}`, ({ day }) => html(renderDoc(index, day))]),
    ['/shop/', () => html(renderShop())],
    ...FAMILY_NAMES.map((name): [string, Route] => [`/shop/family/${slugOf(name)}`, () => html(renderFamily(name))]),
    ...PRODUCTS.map(({ slug }, index): [string, Route] => [
      `/shop/${slug}`,
      ({ day, origin }) => html(renderProduct(index, priceOn(index, day), origin)),
    ]),
    ['/blog/', () => html(renderBlog())],
    ...POSTS.map(({ slug }, index): [string, Route] => [`/blog/${slug}`, () => html(renderPost(index))]),
  ]);
}
