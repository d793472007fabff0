import { DOCS } from './content.ts';
import { changesOf } from './days.ts';
import { DISCOVERY_ROUTES } from './discovery.ts';
import { FAVICON, renderPage, STYLE } from './layout.ts';
import { answerOdd, ODD_ROUTES } from './oddities.ts';
import { ordinaryRoutes } from './pages.ts';
import { PRODUCTS } from './products.ts';
import { html, type Reply, type Route, type Visit } from './reply.ts';

const ROUTES: ReadonlyMap<string, Route> = new Map<string, Route>([
  ...ordinaryRoutes(),
  ...ODD_ROUTES,
  ...DISCOVERY_ROUTES,
  ['/style.css', () => ({ status: 200, type: 'text/css', body: STYLE })],
  ['/favicon.svg', () => ({ status: 200, type: 'image/svg+xml', body: FAVICON })],
]);

/** What the site serves at this address on this day: a pure function of the visit. */
export function answer(visit: Visit): Reply {
  return ROUTES.get(visit.path)?.(visit) ?? answerOdd(visit) ?? notFound(visit.path);
}

const notFound = (path: string) =>
  html(
    renderPage({ title: 'Not found', path, body: '<h1>Not found</h1>\n<p>There is nothing at this address.</p>' }),
    undefined,
    404,
  );

/** The paths whose content differs from the day before. */
export function changedPaths(day: number): { prices: string[]; pages: string[] } {
  const { products, docs } = changesOf(day);
  return {
    prices: products.map((index) => `/shop/${PRODUCTS[index]!.slug}`),
    pages: docs.map((index) => `/docs/${DOCS[index]!.slug}`),
  };
}
