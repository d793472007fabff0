import type { Server, ServerResponse } from 'node:http';
import { BlockList, isIPv6, type Socket } from 'node:net';
import type { FastifyServerOptions } from 'fastify';
import type { Settings } from '../../config/settings.ts';
import { AppError, type ErrorCode } from '../../errors.ts';
import { newId } from '../../ids.ts';
import type { Log } from '../../log.ts';
import { toErrorBody } from './answer-error.ts';
import { HEADER_LINES } from './headers.ts';

/** How exact time limits are kept: the server looks through its connections this often at most and at least. */
const [LOOK_MIN_MS, LOOK_MAX_MS] = [20, 5_000];
const LOG_EVERY_MS = 60_000;
const FOUND_BY_NODE: Record<string, readonly [code: ErrorCode, message: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['REQUEST_TIMEOUT', 'the request took too long to arrive'],
  HPE_HEADER_OVERFLOW: ['REQUEST_HEAD_TOO_LARGE', 'the head of the request is too large'],
};
const REASONS: Record<number, string> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
  503: 'Service Unavailable',
};

type Http = Settings['http'];

/** Limits of Node's server. A head may take as long as a whole request at most: Node refuses to start otherwise. */
export function serverOptions(http: Http) {
  const headersTimeout = Math.min(http.headersTimeoutMs, http.requestTimeoutMs);
  return {
    requestTimeout: http.requestTimeoutMs,
    keepAliveTimeout: http.keepAliveTimeoutMs,
    connectionTimeout: http.unreadTimeoutMs,
    maxRequestsPerSocket: http.maxRequestsPerConnection,
    clientErrorHandler: answerBadRequest,
    http: {
      headersTimeout,
      requestTimeout: http.requestTimeoutMs,
      maxHeaderSize: http.maxHeaderBytes,
      connectionsCheckingInterval: Math.min(LOOK_MAX_MS, Math.max(LOOK_MIN_MS, headersTimeout / 4)),
    },
  } satisfies FastifyServerOptions & { http: object };
}

/** Caps connections: of the process, and of one address. What is above is answered, if at all, and closed. */
export function limitConnections(server: Server, http: Http, log: Log): void {
  // One more than is taken, so that a head with too many is seen to have them and refused, not cut short.
  server.maxHeadersCount = http.maxHeaders + 1;
  server.maxConnections = http.maxConnections;
  limitPipelines(server);
  const warn = seldom(log);
  server.on('drop', () => warn('connections_full', { max: http.maxConnections }));
  if (http.maxConnectionsPerIp === 0) return;
  const proxies = toBlockList(http.trustProxy);
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    const { remoteAddress = '' } = socket;
    if (proxies.check(remoteAddress, isIPv6(remoteAddress) ? 'ipv6' : 'ipv4')) return;
    const from = networkOf(remoteAddress);
    const count = (open.get(from) ?? 0) + 1;
    open.set(from, count);
    socket.once('close', () => {
      const left = open.get(from)! - 1;
      if (left === 0) open.delete(from);
      else open.set(from, left);
    });
    if (count <= http.maxConnectionsPerIp) return;
    warn('connections_of_address_full', { address: remoteAddress, max: http.maxConnectionsPerIp });
    closeWith(socket, 'TOO_MANY_CONNECTIONS', `more than ${http.maxConnectionsPerIp} connections from one address`);
  });
}

/** Requests that wait on one connection for the answer to an earlier one: hardly any client sends even two. */
const MAX_WAITING = 16;

/** A client that sends requests without reading answers is cut off before the answers fill the memory. */
function limitPipelines(server: Server): void {
  const waiting = new WeakMap<Socket, number>();
  server.prependListener('request', ({ socket }, response) => {
    // An answer has the connection when it is its turn.
    if (response.socket !== null) return;
    const count = (waiting.get(socket) ?? 0) + 1;
    waiting.set(socket, count);
    response.once('close', () => waiting.set(socket, waiting.get(socket)! - 1));
    if (count > MAX_WAITING) socket.destroy();
  });
}

/**
 * Called when nothing moved on the connection of an answer for `unreadTimeoutMs`: an answer that waits for its reader is
 * given up. One that is still being worked out is not: its time is the operation's matter.
 */
export function dropUnread(this: ServerResponse, socket: Socket): void {
  if (socket.writableLength > 0) socket.destroy();
}

/** What Node found wrong before there was a request, or while its body came in. */
function answerBadRequest(error: Error & { code?: string }, socket: Socket): void {
  const [code, message] = FOUND_BY_NODE[error.code ?? ''] ?? ['REQUEST_INVALID', 'this is no well-formed HTTP request'];
  if (error.code === 'ECONNRESET') socket.destroy();
  else closeWith(socket, code, message);
}

/** Answers on the bare connection, unless an answer has begun, and closes it. Reads nothing more. */
function closeWith(socket: Socket, code: ErrorCode, message: string): void {
  // Node keeps the answer that is under way there; a second one in the middle of it would be read as its body.
  const { _httpMessage: begun } = socket as Socket & { _httpMessage?: ServerResponse };
  if (!socket.writable || begun?.headersSent === true) return void socket.destroy();
  const requestId = newId();
  const error = new AppError(code, message);
  const body = JSON.stringify(toErrorBody(error, requestId));
  socket.write(
    `HTTP/1.1 ${error.status} ${REASONS[error.status]}\r\n${HEADER_LINES}x-request-id: ${requestId}\r\n` +
      `content-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` +
      `connection: close\r\n\r\n${body}`,
  );
  socket.destroySoon();
}

/** A caller with IPv6 has a whole /64 to call from. */
function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = '', tail] = address.split('::');
  const [front, back] = [head.split(':'), tail === undefined ? [] : tail.split(':')];
  const zeros = Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => '0');
  return [...front, ...zeros, ...back].slice(0, 4).join(':');
}

function toBlockList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** Each event once a minute at most: a flood must not fill the log. */
function seldom(log: Log) {
  const last = new Map<string, number>();
  return (event: string, fields: Record<string, unknown>) => {
    if (performance.now() - (last.get(event) ?? Number.NEGATIVE_INFINITY) < LOG_EVERY_MS) return;
    last.set(event, performance.now());
    log.warn(event, fields);
  };
}
