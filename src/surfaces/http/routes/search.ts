import { bindSearch } from '../../../operations/search/bind-search.ts';
import { searchDocuments } from '../../../operations/search/search-documents.ts';
import { SearchRequest, SearchResponse } from '../../../operations/search/search-schema.ts';
import { route } from '../route.ts';

const SEARCHES = [
  ...(['QUERY_EMPTY', 'QUERY_TOO_LONG', 'CURSOR_INVALID', 'DIMENSION_MISMATCH', 'NOT_FOUND'] as const),
  ...(['MODEL_MISSING', 'EMBEDDING_INVALID', 'RERANKING_INVALID'] as const),
];

const searchRoute = (
  path: string,
  id: string,
  mode: 'hybrid' | 'vector' | 'keyword',
  summary: string,
  description?: string,
) =>
  route({
    method: 'POST',
    path,
    id,
    summary,
    ...(description === undefined ? {} : { description }),
    tag: 'search',
    access: 'read',
    bound: 'scoped',
    errors: SEARCHES,
    example: { body: { query: 'how do I install it', limit: 3 } },
    body: SearchRequest,
    response: SearchResponse,
    reuse: (answer) => answer.result_cached,
    handler: ({ app, body, caller }) => searchDocuments(app, bindSearch(body, caller.collections), mode),
  });

export const searchRoutes = [
  searchRoute(
    '/search',
    'search',
    'hybrid',
    'Search by meaning and by words',
    'Falls back to words alone, and says so, when embedder or vector engine do not answer.',
  ),
  searchRoute('/search/vector', 'searchByVector', 'vector', 'Search by meaning alone'),
  searchRoute('/search/keyword', 'searchByKeyword', 'keyword', 'Search by words alone'),
];
