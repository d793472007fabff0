import { ReplayInput, ReplayResult, replay } from '../../../operations/crawls/replay.ts';
import { listPageOf } from '../../../operations/paging.ts';
import { getProduct, ProductDetail } from '../../../operations/products/get-product.ts';
import { ListProductsInput, listProducts } from '../../../operations/products/list-products.ts';
import { ParserReport, ParserReportInput, parserReport } from '../../../operations/products/parser-report.ts';
import { PriceEntry, Product } from '../../../operations/products/product.ts';
import { ListPricesInput, productHistory } from '../../../operations/products/product-history.ts';
import { IdParams } from '../../../operations/schemas.ts';
import { route } from '../route.ts';

const tag = 'products';

export const productRoutes = [
  route({
    method: 'GET',
    path: '/products',
    id: 'listProducts',
    summary: 'List products',
    description: 'Prices are compared as numbers, so name a currency beside them; sorting by price needs one.',
    tag,
    access: 'read',
    bound: 'refused',
    query: ListProductsInput,
    response: listPageOf(Product),
    handler: ({ app, query }) => listProducts(app, query),
  }),
  route({
    method: 'GET',
    path: '/products/:id',
    id: 'getProduct',
    summary: 'Show a product: where each fact came from, its variants and images',
    tag,
    access: 'read',
    bound: 'refused',
    params: IdParams,
    response: ProductDetail,
    handler: ({ app, params }) => getProduct(app, params.id),
  }),
  route({
    method: 'GET',
    path: '/products/:id/history',
    id: 'listProductPrices',
    summary: 'List what a product cost, one entry per change',
    tag,
    access: 'read',
    bound: 'refused',
    params: IdParams,
    query: ListPricesInput,
    response: listPageOf(PriceEntry),
    handler: ({ app, params, query }) => productHistory(app, params.id, query),
  }),
  route({
    method: 'GET',
    path: '/parsers/report',
    id: 'getParserReport',
    summary: 'Show how well parsers read each domain, and what a parser on trial would change',
    tag,
    access: 'read',
    bound: 'refused',
    query: ParserReportInput,
    response: ParserReport,
    handler: ({ app, query }) => parserReport(app, query),
  }),
  route({
    method: 'POST',
    path: '/replays',
    id: 'replayPages',
    summary: 'Read stored responses again',
    description: 'With the extractor and parsers of today, by domain, time or parser. No page is fetched.',
    tag: 'admin',
    access: 'admin',
    bound: 'refused',
    example: { body: { domain: '{domain}' } },
    body: ReplayInput,
    response: ReplayResult,
    handler: ({ app, body }) => replay(app, body),
  }),
];
