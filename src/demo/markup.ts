/** A small part of Markdown, enough for the texts of the demo site. The texts are ours, yet everything is escaped. */

export const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

export function renderMarkup(source: string): string {
  return source
    .trim()
    .split(/\n(?=```)|(?<=\n```)\n|\n{2,}/)
    .reduce<string[]>((blocks, block) => {
      // A fence that was split at its blank lines is put together again.
      const last = blocks.at(-1);
      const open = last?.startsWith('```') === true && !/\n```$/.test(last);
      if (open) blocks[blocks.length - 1] = `${last}\n\n${block}`;
      else if (block.trim() !== '') blocks.push(block.replace(/^\n+/, ''));
      return blocks;
    }, [])
    .flatMap((block) => (block.startsWith('```') ? [renderCode(block)] : renderText(block)))
    .join('\n');
}

function renderCode(block: string): string {
  const [first = '', ...lines] = block.split('\n');
  const language = first.slice(3) || 'text';
  return `<pre><code class="language-${language}">${escapeHtml(lines.join('\n').replace(/\n```$/, ''))}</code></pre>`;
}

function renderText(block: string): string[] {
  const lines = block.split('\n');
  if (lines[0]!.startsWith('## ')) {
    const title = lines[0]!.slice(3);
    const id = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
    const rest = lines.slice(1).join('\n');
    return [`<h2 id="${id}">${renderInline(title)}</h2>`, ...(rest === '' ? [] : renderText(rest))];
  }
  if (lines.every((line) => line.startsWith('|'))) return [renderTable(lines)];
  if (lines.every((line) => line.startsWith('- ')))
    return [`<ul>\n${lines.map((line) => `<li>${renderInline(line.slice(2))}</li>`).join('\n')}\n</ul>`];
  return [`<p>${renderInline(lines.join('\n'))}</p>`];
}

function renderTable(lines: string[]): string {
  const [head = [], , ...rows] = lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => renderInline(cell.trim())),
  );
  const row = (cells: string[], tag: string) => `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
  return `<table>\n<thead>${row(head, 'th')}</thead>\n<tbody>\n${rows.map((cells) => row(cells, 'td')).join('\n')}\n</tbody>\n</table>`;
}

const renderInline = (text: string) =>
  escapeHtml(text)
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replaceAll(/\*([^*]+)\*/g, '<em>$1</em>')
    .replaceAll(/\[([^\]]+)\]\(([^)]+)\)/g, '<a href="$2">$1</a>');
