import {
  type ApiDocument,
  camel,
  comment,
  contentOf,
  follow,
  isRecord,
  type Operation,
  type Parameter,
  pascal,
  type Schema,
} from './document.ts';
import { groupOf, methodOf } from './names.ts';
import type { TypeWriter } from './types.ts';

const VERBS = ['get', 'post', 'put', 'patch', 'delete'];
const JSON_TYPE = 'application/json';
const STREAM_TYPE = 'text/event-stream';
const LIST_FIELDS = new Set(['items', 'next_cursor', 'has_more', 'total']);
/** How the argument of a path parameter may not be called. */
const ARGUMENTS = new Set(['body', 'query', 'options', 'delete', 'in', 'new', 'default', 'function', 'class']);

interface Entry {
  id: string;
  tag: string;
  verb: string;
  path: string;
  operation: Operation;
  parameters: Parameter[];
}

export interface Methods {
  /** Types that only operations use: queries, bodies, answers. */
  declarations: string;
  /** The groups, as the body of an object. */
  groups: string;
}

/** One typed method for each operation, in groups by tag. Operations without a good answer (redirects) have none. */
export function writeMethods(document: ApiDocument, types: TypeWriter): Methods {
  const entries = readEntries(document);
  const sockets = new Map(entries.filter(isSocket).map((entry) => [entry.id.replace(/^socket/, ''), entry]));
  const declarations: string[] = [];
  const groups = new Map<string, Map<string, string>>();
  for (const entry of entries.filter((each) => !isSocket(each) && statusesOf(each).length > 0)) {
    const group = groupOf(entry.tag);
    const methods = groups.get(group) ?? new Map<string, string>();
    groups.set(group, methods);
    const taken = new Set(methods.keys());
    const stream = contentTypesOf(document, entry).includes(STREAM_TYPE);
    if (stream) {
      const name = methodOf(entry.id, entry.tag, taken).replace(/^stream/, 'follow');
      methods.set(name, writeFollow(entry, name, sockets.get(entry.id.replace(/^stream/, '')), types, declarations));
    } else {
      const name = methodOf(entry.id, entry.tag, taken);
      methods.set(name, writeMethod(document, entry, name, types, declarations));
    }
  }
  const about = new Map((document.tags ?? []).map(({ name, description }) => [groupOf(name), description]));
  const written = [...groups].map(
    ([group, methods]) => `${comment(about.get(group), '  ')}  ${group}: {\n${[...methods.values()].join('')}  },\n`,
  );
  return { declarations: declarations.join('\n'), groups: written.join('') };
}

function readEntries(document: ApiDocument): Entry[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    VERBS.flatMap((verb) => {
      if (!isRecord(item[verb])) return [];
      const operation: Operation = item[verb];
      const shared = Array.isArray(item.parameters) ? item.parameters : [];
      const parameters = [...shared, ...(operation.parameters ?? [])].flatMap(
        (each) => follow<Parameter>(document, each) ?? [],
      );
      const id = operation.operationId ?? `${verb} ${path}`;
      return [{ id, tag: operation.tags?.[0] ?? 'other', verb, path, operation, parameters }];
    }),
  );
}

const statusesOf = ({ operation }: Entry) =>
  Object.keys(operation.responses ?? {}).filter((status) => /^2/.test(status));
const isSocket = ({ operation }: Entry) => Object.hasOwn(operation.responses ?? {}, '101');
const contentTypesOf = (document: ApiDocument, entry: Entry) =>
  statusesOf(entry).flatMap((status) => Object.keys(contentOf(document, entry.operation.responses?.[status])));

/** The path as a template that its arguments fill, and those arguments. */
function writePath({ path }: Entry): { template: string; args: string[] } {
  const args: string[] = [];
  const filled = path.replace(/\{([^}]+)\}|[`\\$]/g, (found: string, name: string | undefined) => {
    if (name === undefined) return `\\${found}`;
    const made = camel(name);
    const arg = ARGUMENTS.has(made) ? `${made}Of` : made;
    args.push(`${arg}: string`);
    return `\${part(${arg})}`;
  });
  return { template: /^[\w/.-]*$/.test(filled) ? `'${filled}'` : `\`${filled}\``, args };
}

function writeMethod(
  document: ApiDocument,
  entry: Entry,
  name: string,
  types: TypeWriter,
  declarations: string[],
): string {
  const { operation, verb } = entry;
  const { template, args } = writePath(entry);
  const parts: string[] = [];
  const body = writeBody(document, entry, types, declarations);
  if (body !== undefined) {
    args.push(`body${body.required ? '' : '?'}: ${body.type}`);
    parts.push('body');
  }
  const query = declareQuery(entry, types, declarations);
  if (query !== undefined) {
    args.push(`query${query.required ? '' : '?'}: ${query.type}`);
    parts.push('query');
  }
  if (entry.parameters.some((each) => each.in === 'header' && each.name.toLowerCase() === 'idempotency-key'))
    parts.push('creates: true');
  const answer = writeAnswer(document, entry, types, declarations);
  if (answer === 'Response') parts.push('raw: true');
  args.push('options?: CallOptions');
  const about = comment([operation.summary, operation.description].filter(Boolean).join('. '), '    ');
  const sent = parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
  return `${about}    ${name}: (${args.join(', ')}): Promise<${answer}> =>\n      call('${verb.toUpperCase()}', ${template}, ${sent}, options),\n`;
}

function writeBody(document: ApiDocument, entry: Entry, types: TypeWriter, declarations: string[]) {
  const content = contentOf(document, entry.operation.requestBody);
  const kinds = Object.keys(content);
  if (kinds.length === 0) return undefined;
  const required = follow<{ required?: boolean }>(document, entry.operation.requestBody)?.required === true;
  const forms = kinds.map((kind) => {
    if (kind.startsWith(JSON_TYPE)) return declare(entry, 'Body', content[kind]!.schema ?? {}, types, declarations);
    return kind.startsWith('multipart/') ? 'FormData' : 'RawBody';
  });
  return { required, type: [...new Set(forms)].join(' | ') };
}

function declareQuery(entry: Entry, types: TypeWriter, declarations: string[], leftOut: readonly string[] = []) {
  const found = entry.parameters.filter((each) => each.in === 'query' && !leftOut.includes(each.name));
  if (found.length === 0) return undefined;
  const schema = {
    type: 'object',
    properties: Object.fromEntries(
      found.map(({ name, description, schema: own }) => [
        name,
        isRecord(own) && description !== undefined ? { ...own, description } : (own ?? {}),
      ]),
    ),
    required: found.filter((each) => each.required === true).map((each) => each.name),
  };
  const type = declare(entry, 'Query', schema, types, declarations);
  return { required: schema.required.length > 0, type, names: found.map((each) => each.name) };
}

function writeAnswer(document: ApiDocument, entry: Entry, types: TypeWriter, declarations: string[]): string {
  const answers = statusesOf(entry).map((status) => {
    const content = contentOf(document, entry.operation.responses?.[status]);
    const kinds = Object.keys(content);
    if (kinds.length === 0) return 'void';
    if (kinds.length > 1 || !kinds[0]!.startsWith(JSON_TYPE)) return 'Response';
    const schema = content[kinds[0]!]!.schema ?? {};
    const item = listItem(schema);
    return item === undefined
      ? declare(entry, 'Answer', schema, types, declarations)
      : `ListPage<${declare(entry, 'Item', item, types, declarations)}>`;
  });
  return answers.includes('Response') ? 'Response' : [...new Set(answers)].join(' | ');
}

/** What a list holds; undefined for an answer that is no list, or more than one. */
function listItem(schema: Schema): Schema | undefined {
  if (!isRecord(schema) || !isRecord(schema.properties)) return undefined;
  const { items } = schema.properties;
  if (!Object.keys(schema.properties).every((name) => LIST_FIELDS.has(name)) || !('next_cursor' in schema.properties))
    return undefined;
  return isRecord(items) && isRecord(items.items) ? items.items : undefined;
}

/** The name of a schema: its own where it has one, else one made from the operation. */
function declare(entry: Entry, role: string, schema: Schema, types: TypeWriter, declarations: string[]): string {
  const type = types.write(schema);
  if (!type.includes('\n')) return type;
  const name = `${pascal(entry.id)}${role}`;
  const declared = types.declare(name, schema);
  if (!declarations.includes(declared)) declarations.push(declared);
  return name;
}

function writeFollow(
  entry: Entry,
  name: string,
  socket: Entry | undefined,
  types: TypeWriter,
  declarations: string[],
): string {
  const { template, args } = writePath(entry);
  const query = declareQuery(entry, types, declarations, ['after']);
  const options = query === undefined ? 'FollowOptions' : `FollowOptions & ${query.type}`;
  const about = comment([entry.operation.summary, entry.operation.description].filter(Boolean).join('. '), '    ');
  const places = [`stream: ${template}`, ...(socket === undefined ? [] : [`socket: ${writePath(socket).template}`])];
  const names = query === undefined ? '[]' : `[${query.names.map((each) => JSON.stringify(each)).join(', ')}]`;
  return `${about}    ${name}: <Data = unknown>(${[...args, `options: ${options} = {}`].join(', ')}): AsyncGenerator<StreamEvent<Data>> =>\n      follow({ ${places.join(', ')}, query: ${names} }, options),\n`;
}
