import { searchDocuments } from '../../../operations/search/search-documents.ts';
import { SearchRequest, SearchResponse } from '../../../operations/search/search-schema.ts';
import { route } from '../route.ts';

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
    body: SearchRequest,
    response: SearchResponse,
    reuse: (answer) => answer.result_cached,
    handler: ({ app, body }) => searchDocuments(app, body, mode),
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
