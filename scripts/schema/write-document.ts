import type { Constraint, Table } from './read-schema.ts';

/** The tables as a page to read: columns, keys, and why each key and index is there. */
export function writeDocument(tables: Table[]): string {
  const contents = tables.map(({ name }) => `[${name}](#${name})`).join(' · ');
  return `# Schema

Generated from the migrated database by \`scripts/generate-schema.ts\`; \`npm run check\` fails when it is stale.
${tables.length} tables: ${contents}

${tables.map(writeTable).join('\n')}`;
}

function writeTable(table: Table): string {
  const columns = table.columns.map(({ name, type, nullable, fallback }) =>
    row(name, shortType(type), nullable ? 'yes' : '', fallback === null ? '' : code(fallback)),
  );
  const keys = table.constraints
    .filter(({ kind }) => kind !== 'check')
    .map((key) => row(key.kind, code(describeKey(key)), key.comment ?? ''));
  const indexes = table.indexes.map(({ name, definition, unique, comment }) =>
    row(`${name}${unique ? ' (unique)' : ''}`, code(definition.replace(/^.* USING /, '')), comment ?? ''),
  );
  return [
    `## ${table.name}\n`,
    ...(table.comment === null ? [] : [`${table.comment}\n`]),
    section(['column', 'type', 'null', 'default'], columns),
    ...(keys.length > 0 ? [section(['key', 'definition', 'reason'], keys)] : []),
    ...(indexes.length > 0 ? [section(['index', 'definition', 'reason'], indexes)] : []),
  ].join('\n');
}

const section = (head: string[], rows: string[]) =>
  `${row(...head)}\n${row(...head.map(() => '---'))}\n${rows.join('\n')}\n`;
const row = (...cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
const code = (text: string) => `\`${text}\``;
const describeKey = ({ definition }: Constraint) => definition.replace(/^(PRIMARY KEY|UNIQUE) /, '');
const shortType = (type: string) =>
  type.replace('timestamp with time zone', 'timestamptz').replace('double precision', 'float8');
