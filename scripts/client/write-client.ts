import type { ApiDocument } from './document.ts';
import { writeMethods } from './operations.ts';
import { createTypeWriter } from './types.ts';

const HEAD = '// Made from the OpenAPI document by npm run generate. Changes made here are lost.';
const IMPORTS: Record<string, readonly string[]> = {
  './call.ts': ['type Call', 'type CallOptions', 'type ListPage', 'part', 'type RawBody'],
  './follow.ts': ['type Follow', 'type FollowOptions', 'type StreamEvent'],
};

/** The text of the generated part of the client: a type for each schema, a method for each operation. */
export function writeClient(document: ApiDocument): string {
  const types = createTypeWriter(document, document.components?.schemas ?? {});
  const { declarations, groups } = writeMethods(document, types);
  const body = [
    `/** The version of the API this was made from. */\nexport const VERSION = ${JSON.stringify(document.info.version)};\n`,
    types.models(),
    declarations,
    `/** Every operation of the API. */\nexport const createApi = (call: Call, follow: Follow) => ({\n${groups}});\n`,
    'export type Api = ReturnType<typeof createApi>;\n',
  ].join('\n');
  return `${HEAD}\n${writeImports(body)}\n${body}`;
}

/** Only what is used: a document without streams or uploads needs less. */
function writeImports(body: string): string {
  const isUsed = (name: string) => new RegExp(`\\b${name.replace('type ', '')}\\b`).test(body);
  return Object.entries(IMPORTS)
    .map(([from, names]) => `import { ${names.filter(isUsed).join(', ')} } from '${from}';\n`)
    .join('');
}
