import { type Box, boxesBelow } from '../content/box.ts';
import { type ResolveUrl, renderInline } from './inline.ts';

const MAX_COLUMNS = 60;
const BLOCKS = new Set(['table', 'ul', 'ol', 'pre', 'blockquote', 'h1', 'h2', 'h3', 'form', 'article', 'section']);

/** A GFM table, or undefined for a table that only lays out a page. */
export function renderTable(table: Box, resolve: ResolveUrl): string | undefined {
  const rows = collectRows(table);
  const columns = Math.max(0, ...rows.map((row) => row.length));
  if (rows.length < 2 || columns < 2 || columns > MAX_COLUMNS || laysOut(table)) return undefined;
  const lines = rows
    .map((row) => row.map((cell) => renderCell(cell, resolve)))
    .filter((row) => row.some((cell) => cell !== ''))
    .map((row) => `| ${[...row, ...Array<string>(columns - row.length).fill('')].join(' | ')} |`);
  if (lines.length < 2) return undefined;
  lines.splice(1, 0, `|${' --- |'.repeat(columns)}`);
  const caption = table.children.find((child): child is Box => typeof child !== 'string' && child.tag === 'caption');
  const title = caption === undefined || caption.removed ? '' : renderInline(caption.children, resolve);
  return title === '' ? lines.join('\n') : `${title}\n\n${lines.join('\n')}`;
}

function renderCell(cell: Box, resolve: ResolveUrl): string {
  const text = renderInline(cell.children, resolve);
  return /[\n|]/.test(text) ? text.replaceAll('\n', ' ').replaceAll('|', '\\|') : text;
}

function collectRows(table: Box): Box[][] {
  const rows: Box[][] = [];
  const visit = (box: Box): void => {
    for (const child of box.children) {
      if (typeof child === 'string' || child.removed) continue;
      if (child.tag === 'tr') rows.push(cellsOf(child));
      else if (child.tag === 'tbody' || child.tag === 'thead' || child.tag === 'tfoot') visit(child);
    }
  };
  visit(table);
  return rows;
}

function cellsOf(row: Box): Box[] {
  const cells: Box[] = [];
  for (const child of row.children)
    if (typeof child !== 'string' && !child.removed && (child.tag === 'td' || child.tag === 'th')) cells.push(child);
  return cells;
}

function laysOut(table: Box): boolean {
  for (const box of boxesBelow(table)) {
    if (box !== table && BLOCKS.has(box.tag)) return true;
    if ((box.tag === 'td' || box.tag === 'th') && box.text > 1_000) return true;
  }
  return false;
}
