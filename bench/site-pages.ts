/** The pages of the benchmark site: about 18 KB of English prose each, 20 links, the same on every run. */

const NOUNS =
  'river garden window market engine teacher winter letter mountain village doctor kitchen library harbour bridge machine forest painter valley island farmer signal evening captain lantern meadow orchard station journey student morning traveller workshop sentence answer question mirror blanket bottle compass carpet cottage feather'.split(
    ' ',
  );
const VERBS =
  'carries follows watches repairs describes remembers crosses measures explains changes visits opens protects collects answers finds keeps leaves reaches supports'.split(
    ' ',
  );
const ADJECTIVES =
  'quiet northern careful wooden early bright distant narrow patient simple ancient gentle curious heavy modern open silver steady warm yellow'.split(
    ' ',
  );
const PLACES =
  'near the water|behind the old mill|in the middle of the town|during the long summer|after the first snow|on the other side of the hill|before anyone noticed|without asking for help|with great care|at the end of the road'.split(
    '|',
  );

/** Small, fast and the same everywhere (mulberry32). */
export function createRandom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
}

const TARGET_BYTES = 18_000;
const LINKS = 20;
/** Children of page n are 4n+1 … 4n+4, so every page can be reached from page 0. */
const FAN_OUT = 4;

export const pagePath = (index: number) => `/page/${index}`;

function sentence(random: (below: number) => number): string {
  const noun = () => NOUNS[random(NOUNS.length)]!;
  const adjective = () => ADJECTIVES[random(ADJECTIVES.length)]!;
  const subject = `the ${adjective()} ${noun()}`;
  const text = `${subject} ${VERBS[random(VERBS.length)]} the ${noun()} of the ${noun()} ${PLACES[random(PLACES.length)]}`;
  return `${text[0]!.toUpperCase()}${text.slice(1)}, and ${random(900) + 100} ${adjective()} people agree.`;
}

export function renderPage(index: number, pages: number, extraLinks: readonly string[]): string {
  const random = createRandom(index * 7_919 + 17);
  const targets = new Set<number>();
  for (let child = index * FAN_OUT + 1; child <= index * FAN_OUT + FAN_OUT && child < pages; child++)
    targets.add(child);
  while (targets.size < Math.min(LINKS, pages)) targets.add(random(pages));
  const links = [...targets].map(pagePath).concat(extraLinks);
  const title = `Page ${index}: the ${ADJECTIVES[random(ADJECTIVES.length)]} ${NOUNS[random(NOUNS.length)]}`;
  let body = '';
  let paragraph = 0;
  while (body.length < TARGET_BYTES - FRAME_BYTES) {
    if (paragraph % 4 === 0)
      body += `<h2 id="s${paragraph}" class="section-title">About the ${NOUNS[random(NOUNS.length)]}</h2>\n`;
    const link = links[paragraph];
    const see =
      link === undefined ? '' : ` See also <a class="inline-link" href="${link}">the note on ${link.slice(1)}</a>.`;
    body += `<div class="block block-text"><p class="text">${sentence(random)} <em>${sentence(random)}</em> ${sentence(random)}${see}</p></div>\n`;
    if (paragraph % 7 === 3) body += table(random);
    paragraph++;
  }
  const rest = links.slice(paragraph).map((link) => `<li><a href="${link}">Next: ${link.slice(1)}</a></li>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="description" content="Notes about ${title.toLowerCase()}, made for measuring.">
<meta property="og:title" content="${title}">
<link rel="stylesheet" href="/style.css">
<script>${SCRIPT}</script>
</head>
<body>
<header class="site-header">${MENU}</header>
<main>
<article>
<h1>${title}</h1>
${body}</article>
<ul class="more">
${rest.join('\n')}
</ul>
</main>
<footer class="site-footer"><p>These pages were generated to measure how fast a crawler works. They say nothing.</p></footer>
</body>
</html>
`;
}

/** The frame that sites put around their text: a menu without links of its own, and a script. */
const MENU = `<nav class="menu"><ul>${NOUNS.slice(0, 24)
  .map((noun, index) => `<li class="menu-item" data-index="${index}"><span class="label">${noun}</span></li>`)
  .join('')}</ul></nav>`;
const SCRIPT = `window.settings = ${JSON.stringify(Object.fromEntries(NOUNS.slice(0, 30).map((noun, index) => [noun, { enabled: index % 2 === 0, weight: index }])))};`;
const FRAME_BYTES = 700 + MENU.length + SCRIPT.length;

function table(random: (below: number) => number): string {
  const row = () =>
    `<tr><td>${NOUNS[random(NOUNS.length)]}</td><td>${random(1_000)}</td><td>${ADJECTIVES[random(ADJECTIVES.length)]}</td></tr>`;
  return `<table class="data"><tr><th>Name</th><th>Count</th><th>Kind</th></tr>${row()}${row()}${row()}</table>\n`;
}
