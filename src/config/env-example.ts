import type { z } from 'zod';
import { asText, isSecret } from './describe.ts';
import { envName, GROUPS, groupFields } from './names.ts';
import { ALIASES, WITHOUT_EFFECT } from './other-names.ts';

const HEAD = [
  '# Every setting of crawl4r, with its default. Copy this file to .env in the folder it is started from, and remove the # before',
  '# what you change; what the environment itself says wins. crawl4r doctor --all shows what is in force.',
  '#',
  '# Made from src/config/settings.ts by npm run generate.',
].join('\n');

/** The text of .env.example: a line for each setting, commented out, so that the file as it is changes nothing. */
export function envExample(): string {
  const plain: string[] = [];
  const sections: string[] = [];
  for (const [name, schema] of Object.entries(GROUPS)) {
    const fields = groupFields(schema);
    if (fields === undefined) plain.push(settingLine(envName(name), schema));
    else {
      const lines = Object.entries(fields).map(([field, inner]) =>
        settingLine(`${envName(name)}__${envName(field)}`, inner),
      );
      sections.push(section(schema.description ?? name, lines));
    }
  }
  const aliases = Object.entries(ALIASES).map(([name, { about }]) => noteLine(name, about));
  const ignored = Object.entries(WITHOUT_EFFECT).map(([name, why]) => noteLine(name, why));
  return `${[
    HEAD,
    plain.join('\n'),
    ...sections,
    section('Other names that are understood', aliases),
    section('Names of other programs that have no effect', ignored),
  ].join('\n\n')}\n`;
}

const section = (title: string, lines: readonly string[]) => [`# === ${title} ===`, ...lines].join('\n');
const noteLine = (name: string, about: string) => `# ${name}: ${about}`;

function settingLine(name: string, schema: z.ZodType): string {
  const fallback = isSecret(schema) ? '' : quoted(asText(schema.parse(undefined)));
  return `# ${`${name}=${fallback}`.padEnd(44)} # ${schema.description ?? ''}`;
}

/** What a reader of .env files would cut at the comment, or trim, stands in quotes. */
const quoted = (value: string) => (/[\s#"']/.test(value) ? JSON.stringify(value) : value);
