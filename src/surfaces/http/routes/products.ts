import { z } from 'zod';
import { ReplayInput, ReplayResult, replay } from '../../../operations/crawls/replay.ts';
import { listPageOf } from '../../../operations/paging.ts';
import { getProduct, ProductDetail } from '../../../operations/products/get-product.ts';
import {
  ListProductImagesInput,
  listProductImages,
  ProductImage,
} from '../../../operations/products/list-product-images.ts';
import { ListProductsInput, listProducts } from '../../../operations/products/list-products.ts';
import { openProductImage } from '../../../operations/products/open-product-image.ts';
import { ParserReport, ParserReportInput, parserReport } from '../../../operations/products/parser-report.ts';
import { PriceEntry, Product } from '../../../operations/products/product.ts';
import { ListPricesInput, productHistory } from '../../../operations/products/product-history.ts';
import { Id, IdParams } from '../../../operations/schemas.ts';
import { route } from '../route.ts';
import { sendBlob } from '../send-blob.ts';

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
    path: '/products/:id/images',
    id: 'listProductImages',
    summary: 'List the images of a product, with links to those that are stored',
    tag,
    access: 'read',
    bound: 'refused',
    params: IdParams,
    query: ListProductImagesInput,
    response: listPageOf(ProductImage),
    handler: ({ app, params, query }) => listProductImages(app, params.id, query),
  }),
  route({
    method: 'GET',
    path: '/products/:id/images/:imageId',
    id: 'downloadProductImage',
    summary: 'Download an image of a product',
    description:
      'PNG, JPEG, GIF, WebP and AVIF under their own type, anything else as plain bytes. Takes a Range of bytes.',
    tag,
    access: 'read',
    bound: 'refused',
    errors: ['RANGE_INVALID'],
    also: { 206: 'same' },
    params: z.strictObject({ id: Id, imageId: Id }),
    stream: 'application/octet-stream',
    handler: ({ app, params, request, reply }) =>
      sendBlob(reply, () => openProductImage(app, params.id, params.imageId, request.headers.range)),
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
