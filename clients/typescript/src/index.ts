export type { CallOptions, ListPage, Method, RawBody } from './call.ts';
export { part } from './call.ts';
export { type Client, type ClientOptions, createClient, type RequestOptions } from './client.ts';
export { CrawlerApiError } from './error.ts';
export type { FollowOptions, StreamEvent } from './follow.ts';
export type * from './generated.ts';
export { VERSION } from './generated.ts';
export { createEventParser, type EventParser, type ServerEvent } from './sse.ts';
