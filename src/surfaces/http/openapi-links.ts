import { z } from 'zod';
import type { Route } from './route.ts';

/**
 * Which operations an answer leads to, and where in it their parameters are: what an id of one answer is good for. All of it
 * follows from paths and names of fields, so that a new route is linked as soon as it is in the table.
 */

interface Link {
  operationId: string;
  parameters: Record<string, string>;
}

interface Shown {
  /** The fields of the answer, or of the entries of a list. */
  fields: Record<string, z.ZodType>;
  at: string;
  list: boolean;
  /** The id of the schema. */
  model: unknown;
}

export function linksOf(entry: Route, routes: readonly Route[]): Record<string, Link> {
  const shown = readShown(entry);
  if (shown === undefined) return {};
  const links = routes
    .filter((target) => target !== entry && target.params !== undefined && target.socket === undefined)
    .flatMap((target) => {
      const parameters = parametersFor(entry, target, shown, routes);
      return parameters === undefined ? [] : [[target.id, { operationId: target.id, parameters }] as const];
    });
  return Object.fromEntries(links);
}

function readShown({ response }: Route): Shown | undefined {
  if (!(response instanceof z.ZodObject)) return undefined;
  const { items } = response.shape as Record<string, z.ZodType>;
  if (!(items instanceof z.ZodArray))
    return { fields: response.shape, at: '$response.body#/', list: false, model: modelOf(response) };
  if (!(items.element instanceof z.ZodObject)) return undefined;
  const { element } = items;
  return { fields: element.shape, at: '$response.body#/items/0/', list: true, model: modelOf(element) };
}

const modelOf = (schema: z.ZodType) => schema.meta()?.id;

/** Undefined when the answer does not hold all parameters of the target, or does not lead there. */
function parametersFor(
  entry: Route,
  target: Route,
  shown: Shown,
  routes: readonly Route[],
): Record<string, string> | undefined {
  const found: Record<string, string> = {};
  let used = false;
  const parts = target.path.split('/');
  for (const [at, part] of parts.entries()) {
    if (!part.startsWith(':')) continue;
    const [name, base] = [part.slice(1), parts.slice(0, at).join('/')];
    const field = fieldFor(name, base, entry, target, shown, routes);
    if (field !== undefined) used = true;
    else if (!entry.path.startsWith(`${base}/${part}`)) return undefined;
    found[name] = field === undefined ? `$request.path.${name}` : `${shown.at}${field}`;
  }
  return used ? found : undefined;
}

function fieldFor(
  name: string,
  base: string,
  entry: Route,
  target: Route,
  shown: Shown,
  routes: readonly Route[],
): string | undefined {
  const has = (field: string) => {
    const schema = shown.fields[field];
    return schema !== undefined && schema.description?.startsWith('Another name for ') !== true;
  };
  // The answer to a creation, and one thing that was asked for, lead to all that can be done with it; others to what shows it.
  const reads = target.method === 'GET';
  const leads = reads || (!shown.list && (entry.method === 'GET' || entry.status !== undefined));
  const lists = shown.list || entry.status === 201;
  const alone = reads && target.path === `${base}/:${name}`;
  if (name !== 'id') {
    const own = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    if (base === entry.path) return has(own) ? own : lists && has('id') ? 'id' : undefined;
    return has(own) && (alone || (entry.path.startsWith(`${base}/:`) && leads)) ? own : undefined;
  }
  const same =
    (lists && entry.path.endsWith(base)) || entry.path === `${base}s` || sameModel(base, shown.model, routes);
  const made = entry.path.startsWith(`${base}/`) && !entry.path.includes(':');
  if ((same || made) && has('id')) return leads ? 'id' : undefined;
  // A reference to another thing, such as crawl_id, leads to the route that shows it.
  const reference = `${base.slice(1).replace(/s$/, '')}_id`;
  return alone && has(reference) ? reference : undefined;
}

/** The answer is of the kind that GET base/:id shows. */
const sameModel = (base: string, model: unknown, routes: readonly Route[]) =>
  model !== undefined &&
  routes.some(
    ({ method, path, response }) =>
      method === 'GET' && path === `${base}/:id` && response !== undefined && modelOf(response) === model,
  );
