import type { CallOptions, ListPage } from './call.ts';

/** Every entry of a list, from page to page; a page is asked for when the one before is used up. */
export async function* paginate<Query extends object, Item>(
  list: (query?: Query & { cursor?: string }, options?: CallOptions) => Promise<ListPage<Item>>,
  query?: NoInfer<Query>,
  options?: CallOptions,
): AsyncGenerator<Item> {
  let cursor: string | undefined;
  for (;;) {
    const page = await list({ ...query, ...(cursor === undefined ? {} : { cursor }) } as Query, options);
    yield* page.items;
    // A list that gives the same cursor again would never end.
    if (page.next_cursor === null || page.next_cursor === cursor) return;
    cursor = page.next_cursor;
  }
}
