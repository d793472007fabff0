import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A page as it is written in `content/*.md`: `=== slug | title | note`, then its text. */
interface Entry {
  slug: string;
  title: string;
  note: string;
  body: string;
}

interface DocPage extends Entry {
  section: string;
}

const SECTIONS: [file: string, name: string][] = [
  ['start', 'First steps'],
  ['concepts', 'How it works'],
  ['sensors', 'Sensors'],
  ['commands', 'Command line'],
  ['api', 'HTTP API'],
  ['guides', 'Guides'],
  ['trouble', 'When something is wrong'],
];

function readEntries(file: string): Entry[] {
  const text = readFileSync(join(import.meta.dirname, 'content', `${file}.md`), 'utf8');
  return text
    .split(/^=== /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf('\n');
      const [slug = '', title = '', note = ''] = part.slice(0, end).split(' | ');
      return { slug, title, note, body: part.slice(end + 1) };
    });
}

export const SECTION_NAMES = SECTIONS.map(([, name]) => name);
export const DOCS: readonly DocPage[] = SECTIONS.flatMap(([file, section]) =>
  readEntries(file).map((entry) => ({ ...entry, section })),
);
/** Newest first; the note is the date. */
export const POSTS: readonly Entry[] = readEntries('blog').reverse();
