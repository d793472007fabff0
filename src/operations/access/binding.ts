import type { App } from '../../app.ts';
import { findCrawlCollection } from '../../db/crawls/crawls.ts';
import { findDocumentCollection } from '../../db/documents/document-views.ts';
import { AppError } from '../../errors.ts';

/** The collections a caller never leaves; undefined: the caller is not bound. */
export type Binding = readonly string[] | undefined;

/** What a route's `:id` names, where a bound caller only sees those of its collections. */
export type BoundThing = 'crawl' | 'document' | 'collection';

/** What is in another collection is not there, in the words used for what does not exist. */
export async function requireWithin(app: App, binding: Binding, thing: BoundThing, id: string): Promise<void> {
  if (binding === undefined) return;
  const collection =
    thing === 'collection'
      ? id.toLowerCase()
      : thing === 'crawl'
        ? await findCrawlCollection(app.database, id)
        : await findDocumentCollection(app.database, id);
  if (!binding.includes(collection ?? '')) throw new AppError('NOT_FOUND', `there is no ${thing} ${id}`);
}

/** The collections a bound caller's search looks into: those it names, or all of its own. Naming another one is refused. */
export function narrowTo(binding: Binding, asked: readonly string[] | undefined): readonly string[] | undefined {
  if (binding === undefined) return asked;
  const outside = asked?.find((id) => !binding.includes(id.toLowerCase()));
  if (outside !== undefined) throw outsideError(outside);
  return asked ?? binding;
}

/** The one collection something new goes to. A caller bound to one need not name it. */
export function chooseCollection(binding: Binding, asked: string | null | undefined): string | null | undefined {
  if (binding === undefined) return asked;
  if (asked === undefined || asked === null) {
    if (binding.length === 1) return binding[0];
    throw new AppError('VALIDATION_FAILED', 'this key is bound to several collections: say which one', {
      details: { 'body.collection_id': `one of ${binding.join(', ')}` },
    });
  }
  if (!binding.includes(asked.toLowerCase())) throw outsideError(asked);
  return asked;
}

const outsideError = (id: string) =>
  new AppError('FORBIDDEN', `this key is bound to other collections than ${id}`, {
    details: { collection_id: id },
    hint: 'GET /api/v1/collections lists those of this key; leave collections out to mean all of them.',
  });
