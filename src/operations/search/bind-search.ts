import { type Binding, narrowTo } from '../access/binding.ts';
import type { SearchRequest } from './search-schema.ts';

/**
 * The search of a bound caller is one that names its collections. So it is filtered by the engines, checked once more against the
 * documents as they are when the page is loaded, and kept under a name that holds the collections: nothing of it can reach another
 * caller, nor anything of theirs this one.
 */
export function bindSearch(input: SearchRequest, binding: Binding): SearchRequest {
  const ids = narrowTo(binding, input.collection_ids);
  return ids === undefined ? input : { ...input, collection_ids: [...ids] };
}
