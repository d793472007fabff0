import type { Box } from '../content/box.ts';
import { fence } from './code.ts';
import { escapeLineStart, type ResolveUrl, renderInline } from './inline.ts';
import { renderTable } from './table.ts';

/** Main content as GitHub-flavoured Markdown. */
export function renderMarkdown(root: Box, resolve: ResolveUrl): string {
  const writer: Writer = { out: '', breaks: 0, prefix: '', first: undefined, outer: '', resolve };
  writeChildren(root, writer);
  return writer.out;
}

interface Writer {
  out: string;
  /** Line breaks due before the next text. */
  breaks: number;
  /** What every line starts with: quote marks and list indents. */
  prefix: string;
  /** What only the next line starts with: a list marker. */
  first: string | undefined;
  /** The prefix outside of what opened with that marker. */
  outer: string;
  resolve: ResolveUrl;
}

const HEADINGS: Record<string, string> = { h1: '# ', h2: '## ', h3: '### ', h4: '#### ', h5: '##### ', h6: '###### ' };

function writeChildren(box: Box, writer: Writer): void {
  let run: (Box | string)[] = [];
  for (const child of box.children) {
    if (typeof child !== 'string' && child.removed) continue;
    if (typeof child === 'string' || !child.block) {
      run.push(child);
      continue;
    }
    if (run.length > 0) {
      writeRun(run, writer);
      run = [];
    }
    writeBlock(child, writer);
  }
  if (run.length > 0) writeRun(run, writer);
}

/** Inline content that stands directly between blocks is a paragraph of its own. */
function writeRun(run: (Box | string)[], writer: Writer): void {
  const text = renderInline(run, writer.resolve);
  if (text !== '') writeParagraph(text, writer);
}

function writeParagraph(text: string, writer: Writer): void {
  owe(writer, 2);
  flush(writer);
  if (!text.includes('\n')) writer.out += escapeLineStart(text);
  else writer.out += text.split('\n').map(escapeLineStart).join(`\n${writer.prefix}`);
  owe(writer, 2);
}

function writeBlock(box: Box, writer: Writer): void {
  const { tag } = box;
  const heading = HEADINGS[tag];
  if (heading !== undefined) writeHeading(heading, box, writer);
  else if (tag === 'ul' || tag === 'ol') writeList(box, writer);
  else if (tag === 'li') writeItem(box, '- ', writer);
  else if (tag === 'blockquote') writeQuote(box, writer);
  else if (tag === 'pre') writeRaw(fence(box), writer);
  else if (tag === 'table') writeTable(box, writer);
  else if (tag === 'hr') writeRaw('---', writer);
  else if (tag === 'dt' && box.text > 0 && box.text < 200) writeStrong(box, writer);
  else if (tag === 'a' && box.text > 0 && box.text < 300) writeRun([{ ...box, block: false }], writer);
  else writeChildren(box, writer);
}

function writeStrong(box: Box, writer: Writer): void {
  const text = renderInline(box.children, writer.resolve).replaceAll('\n', ' ');
  if (text !== '') writeRaw(text.includes('**') ? text : `**${text}**`, writer);
}

function writeHeading(marks: string, box: Box, writer: Writer): void {
  const text = renderInline(box.children, writer.resolve).replaceAll('\n', ' ');
  if (text !== '') writeRaw(marks + text, writer);
}

/** Lines that are Markdown already. */
function writeRaw(text: string, writer: Writer): void {
  if (text === '') return;
  owe(writer, 2);
  flush(writer);
  writer.out += writer.prefix === '' ? text : text.replaceAll('\n', `\n${writer.prefix}`);
  owe(writer, 2);
}

function writeTable(box: Box, writer: Writer): void {
  const table = renderTable(box, writer.resolve);
  if (table === undefined) writeChildren(box, writer);
  else writeRaw(table, writer);
}

function writeQuote(box: Box, writer: Writer): void {
  const { prefix, first } = writer;
  owe(writer, 2);
  open(writer, '> ', '> ');
  writeChildren(box, writer);
  writer.prefix = prefix;
  // Nothing was written: the marker goes as well.
  if (writer.first !== undefined) writer.first = first;
  owe(writer, 2);
}

function writeList(box: Box, writer: Writer): void {
  const nested = writer.prefix !== '' || writer.first !== undefined;
  // A list inside an item follows its line at once.
  if (nested && writer.first === undefined) writer.breaks = 1;
  owe(writer, nested ? 1 : 2);
  let number = Number.parseInt(box.element.attribs.start ?? '1', 10);
  if (!Number.isFinite(number)) number = 1;
  for (const child of box.children) {
    if (typeof child === 'string' || child.removed) continue;
    if (child.tag === 'li') writeItem(child, box.tag === 'ol' ? `${number++}. ` : '- ', writer);
    else if (child.block) writeBlock(child, writer);
    else writeRun([child], writer);
  }
  owe(writer, nested ? 1 : 2);
}

function writeItem(box: Box, marker: string, writer: Writer): void {
  const { prefix, first } = writer;
  owe(writer, 1);
  open(writer, marker, ' '.repeat(marker.length));
  writeChildren(box, writer);
  writer.prefix = prefix;
  if (writer.first === undefined) writer.breaks = 1;
  else writer.first = first;
}

function open(writer: Writer, marker: string, indent: string): void {
  if (writer.first === undefined) writer.outer = writer.prefix;
  writer.first = (writer.first ?? writer.prefix) + marker;
  writer.prefix += indent;
}

/** What opened last (a quote, a list item) has settled the breaks before its first text already. */
function owe(writer: Writer, breaks: number): void {
  if (writer.first === undefined && breaks > writer.breaks) writer.breaks = breaks;
}

function flush(writer: Writer): void {
  const start = writer.first ?? writer.prefix;
  if (writer.out === '') writer.out = start;
  else if (writer.breaks === 1) writer.out += `\n${start}`;
  else writer.out += `\n${(writer.first === undefined ? writer.prefix : writer.outer).trimEnd()}\n${start}`;
  writer.first = undefined;
  writer.breaks = 0;
}
