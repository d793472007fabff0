import { escapeHtml } from './markup.ts';

interface Frame {
  title: string;
  description?: string;
  path: string;
  body: string;
  language?: string;
  /** Further elements for the head. */
  head?: string;
}

const NAVIGATION: [href: string, label: string][] = [
  ['/docs/', 'Documentation'],
  ['/shop/', 'Shop'],
  ['/blog/', 'Journal'],
  ['/curiosities', 'Curiosities'],
];

/** What every page of the site shares, so that an extractor has something to leave out. */
export function renderPage({ title, description, path, body, language = 'en', head = '' }: Frame): string {
  const links = NAVIGATION.map(([href, label]) => {
    const here = path.startsWith(href) ? ' aria-current="page"' : '';
    return `<a href="${href}"${here}>${label}</a>`;
  }).join('\n');
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Meadowlark</title>
${description === undefined ? '' : `<meta name="description" content="${escapeHtml(description)}">\n`}<link rel="stylesheet" href="/style.css">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="alternate" type="application/atom+xml" title="Journal" href="/blog/feed.xml">
${head}</head>
<body>
<header class="top"><a class="brand" href="/">Meadowlark<span>Instruments</span></a>
<nav>
${links}
</nav></header>
<main>
${body}
</main>
<footer><p>Meadowlark Instruments is an invention. This site was made to be crawled.</p>
<p><a href="/about">About</a> · <a href="/imprint">Imprint</a> · <a href="mailto:hello@meadowlark.example">Write to us</a></p></footer>
</body>
</html>
`;
}

export const STYLE = `:root{--ink:#22302a;--soft:#5d6f66;--line:#dfe6e0;--paper:#fbfcfa;--leaf:#2f6f4f;--sun:#e8a33d;color-scheme:light}
*{box-sizing:border-box}
body{margin:0;font:17px/1.65 Georgia,'Iowan Old Style',serif;color:var(--ink);background:var(--paper)}
.top{display:flex;gap:2rem;align-items:center;justify-content:space-between;padding:1rem max(1.2rem,calc((100% - 58rem)/2));border-bottom:1px solid var(--line);background:#fff}
.brand{font-weight:700;font-size:1.2rem;color:var(--leaf);text-decoration:none}
.brand span{margin-left:.4em;font-weight:400;color:var(--soft)}
nav a{margin-left:1.2rem;color:var(--soft);text-decoration:none;font:500 .9rem system-ui,sans-serif}
nav a:hover,nav a[aria-current]{color:var(--leaf)}
main{max-width:58rem;margin:2.2rem auto 4rem;padding:0 1.2rem}
h1{font-size:2.1rem;line-height:1.2;margin:.2em 0 .4em;letter-spacing:-.01em}
h2{margin:1.8em 0 .5em;font-size:1.3rem}
a{color:var(--leaf);text-underline-offset:.15em}
.crumbs,.date,.summary{color:var(--soft);font:.92rem system-ui,sans-serif}
.hero{padding:2.4rem;border-radius:14px;color:#fff;background:linear-gradient(120deg,#1f5d43,#4d8f5f 60%,#d9a441)}
.hero p{max-width:36rem;font-size:1.1rem}.hero a{color:#fff}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(14rem,1fr));gap:1rem;padding:0;list-style:none}
.cards li{padding:1rem 1.1rem;border:1px solid var(--line);border-radius:10px;background:#fff}
.cards li p{margin:.3em 0 0;color:var(--soft);font-size:.92rem}
pre{overflow:auto;padding:1rem 1.1rem;border-radius:10px;background:#1f2a26;color:#e6efe9;font-size:.88rem;line-height:1.5}
code{font-family:ui-monospace,Menlo,monospace;font-size:.9em}
table{width:100%;border-collapse:collapse;font-size:.95rem}
th,td{padding:.5rem .6rem;text-align:left;border-bottom:1px solid var(--line)}
th{font:600 .82rem system-ui,sans-serif;color:var(--soft)}
.product{display:grid;grid-template-columns:20rem 1fr;gap:2.2rem}.product img{width:100%;border-radius:12px}
.price{font:600 1.7rem system-ui,sans-serif;color:var(--leaf)}.was{margin-left:.6em;color:var(--soft);font-size:1rem}
.stock{display:inline-block;padding:.1em .7em;border-radius:1em;background:#e7f2ea;font:.85rem system-ui,sans-serif}
footer{border-top:1px solid var(--line);padding:1.4rem;text-align:center;color:var(--soft);font-size:.85rem}
@media(max-width:40rem){.product{grid-template-columns:1fr}.top{flex-wrap:wrap;gap:.6rem}nav a{margin:0 1rem 0 0}}
`;

export const FAVICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="15" fill="#2f6f4f"/><path d="M7 19c6 0 7-9 17-9-3 2-2 4-5 7s-7 4-12 2z" fill="#f3c766"/></svg>`;
