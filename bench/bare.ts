import { Parser } from 'htmlparser2';
import { Pool } from 'undici';
import { runPeer } from './peer.ts';

/**
 * The least a crawler can do: fetch over 32 connections, read title, text and links with a streaming parser, and remember
 * in memory which addresses it has seen. Nothing is stored, nothing survives a restart, robots.txt is not read.
 */
const CONNECTIONS = 32;
const SILENT = new Set(['script', 'style', 'noscript', 'template']);

interface Parsed {
  title: string;
  text: string;
  links: string[];
}

function parse(html: string, base: string): Parsed {
  const links: string[] = [];
  const text: string[] = [];
  let title = '';
  let inTitle = false;
  let silent = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (name === 'a' && attributes.href !== undefined) links.push(new URL(attributes.href, base).href);
        else if (name === 'title') inTitle = true;
        else if (SILENT.has(name)) silent++;
      },
      ontext(data) {
        if (inTitle) title += data;
        else if (silent === 0) text.push(data);
      },
      onclosetag(name) {
        if (name === 'title') inTitle = false;
        else if (SILENT.has(name)) silent--;
      },
    },
    { decodeEntities: true },
  );
  parser.end(html);
  return { title, text: text.join('').replaceAll(/\s+/g, ' ').trim(), links };
}

await runPeer(async (origin, maxPages) => {
  const pool = new Pool(origin, { connections: CONNECTIONS, pipelining: 1 });
  const seen = new Set([`${origin}/page/0`]);
  const waiting = [...seen];
  let done = 0;
  let characters = 0;

  async function visit(url: string): Promise<void> {
    const { body } = await pool.request({ path: url.slice(origin.length), method: 'GET' });
    const { title, text, links } = parse(await body.text(), url);
    characters += title.length + text.length;
    done++;
    for (const link of links)
      if (!seen.has(link) && link.startsWith(origin)) {
        seen.add(link);
        waiting.push(link);
      }
  }

  await new Promise<void>((resolve, reject) => {
    let active = 0;
    const fill = () => {
      if (active === 0 && (waiting.length === 0 || done >= maxPages)) return resolve();
      while (active < CONNECTIONS && waiting.length > 0 && done + active < maxPages) {
        active++;
        visit(waiting.pop()!).then(() => {
          active--;
          fill();
        }, reject);
      }
    };
    fill();
  });
  await pool.close();
  if (characters === 0) throw new Error('nothing was read');
  return done;
});
