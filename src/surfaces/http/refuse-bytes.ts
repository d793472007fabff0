import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { AppError, type ErrorCode } from '../../errors.ts';
import { newId } from '../../ids.ts';
import { toErrorBody } from './answer-error.ts';

const CODES: Record<string, [code: ErrorCode, message: string]> = {
  HPE_HEADER_OVERFLOW: ['REQUEST_HEADERS_TOO_LARGE', 'the headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['REQUEST_TOO_SLOW', 'the request took too long to arrive'],
};

/** Answers bytes that are no HTTP request, in the shape of every other error; no route and no hook ever see them. */
export function refuseBytes(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const [code, message] = CODES[error.code ?? ''] ?? ['REQUEST_INVALID', 'this is no HTTP request'];
  const refusal = new AppError(code, message);
  const id = newId();
  const body = JSON.stringify(toErrorBody(refusal, id));
  const head = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    `x-request-id: ${id}`,
    'content-type: application/json; charset=utf-8',
    'cache-control: no-store',
    'connection: close',
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  socket.destroySoon();
}
