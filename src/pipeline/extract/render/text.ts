import type { Box } from '../content/box.ts';

/** Main content as plain text: a line per block, an empty line between paragraphs, code as it was. */
export function renderText(root: Box): string {
  const writer: Writer = { out: '', breaks: 0, space: false };
  writeChildren(root, writer, false);
  return writer.out.trim();
}

interface Writer {
  out: string;
  /** Line breaks due before the next text. */
  breaks: number;
  /** A space is due before the next text. */
  space: boolean;
}

/** Blocks that sit on neighbouring lines; all others get an empty line between them. */
const TIGHT = new Set(['li', 'tr', 'dt', 'dd', 'br', 'tbody', 'thead', 'tfoot', 'option', 'figcaption']);
const CELLS = new Set(['td', 'th']);

function writeChildren(box: Box, writer: Writer, raw: boolean): void {
  for (const child of box.children) {
    if (typeof child === 'string') {
      if (raw) writeRaw(child, writer);
      else writeInline(child, writer);
    } else if (!child.removed && !child.caption) writeBox(child, writer, raw);
  }
}

function writeBox(box: Box, writer: Writer, raw: boolean): void {
  if (box.tag === 'br') {
    if (raw) writeRaw('\n', writer);
    else owe(writer, 1);
    return;
  }
  if (CELLS.has(box.tag)) {
    writeChildren(box, writer, raw);
    writer.breaks = Math.min(writer.breaks, 0);
    writer.space = true;
    return;
  }
  if (!box.block) {
    writeChildren(box, writer, raw);
    return;
  }
  const gap = raw || TIGHT.has(box.tag) ? 1 : 2;
  owe(writer, gap);
  writeChildren(box, writer, raw || box.tag === 'pre');
  owe(writer, gap);
}

function owe(writer: Writer, breaks: number): void {
  if (breaks > writer.breaks) writer.breaks = breaks;
  writer.space = false;
}

function flush(writer: Writer): void {
  if (writer.out !== '') {
    if (writer.breaks > 0) writer.out += writer.breaks === 1 ? '\n' : '\n\n';
    else if (writer.space) writer.out += ' ';
  }
  writer.breaks = 0;
  writer.space = false;
}

function writeInline(text: string, writer: Writer): void {
  if (text === '' || text === ' ') {
    if (text === ' ' && writer.breaks === 0) writer.space = true;
    return;
  }
  const start = text.charCodeAt(0) === 32 ? 1 : 0;
  const end = text.charCodeAt(text.length - 1) === 32 ? text.length - 1 : text.length;
  if (start === 1 && writer.breaks === 0) writer.space = true;
  flush(writer);
  writer.out += start === 0 && end === text.length ? text : text.slice(start, end);
  if (end < text.length) writer.space = true;
}

function writeRaw(data: string, writer: Writer): void {
  const text = writer.breaks > 0 ? data.replace(/^\s*\n/, '') : data;
  if (text === '') return;
  flush(writer);
  writer.out += text.replaceAll('\r', '');
}
