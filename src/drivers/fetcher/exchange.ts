import type { Dispatcher } from 'undici';
import { AppError } from '../../errors.ts';
import type { Gate } from '../../gate.ts';

export interface ExchangeResult {
  status: number;
  headers: Record<string, string>;
  /** As sent: still encoded. */
  body: Buffer;
  firstByteAt: number;
}

export interface ExchangeOptions {
  dispatcher: Dispatcher;
  origin: string;
  path: string;
  method: 'GET' | 'HEAD' | 'POST';
  headers: string[];
  body: Uint8Array | string | null;
  maxBytes: number;
  /** Statuses whose body is not read: it is discarded as it arrives, up to a limit. */
  discards: (status: number, headers: Record<string, string>) => boolean;
  /** Time of performance.now() after which it may no longer be sent. */
  notAfter: number | undefined;
  /** Called when it is about to be written. */
  onStart: (() => void) | undefined;
  /** Entered by bodies that grow large, so that many of them at once do not fill the memory. */
  largeBodies: Gate;
}

/** Reading on to the end keeps the connection; beyond this a new one is cheaper. */
const MAX_DISCARDED = 64 * 1024;
/** From here on a body counts as large. */
const LARGE_BODY = 1024 * 1024;

/**
 * One request and its answer, on undici's lowest interface: no streams, no signals, no promises but one. `abort` ends
 * it at any moment, before it was sent too.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly result: Promise<ExchangeResult>;
  readonly #options: ExchangeOptions;
  #resolve!: (result: ExchangeResult) => void;
  #reject!: (error: Error) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #settled = false;
  #status = 0;
  #headers: Record<string, string> = {};
  #chunks: Buffer[] = [];
  /** What has arrived of a large body, in a buffer of its full size: memory that is not written to costs nothing. */
  #large: Uint8Array<ArrayBuffer> | undefined;
  #received = 0;
  #discarding = false;
  #firstByteAt = 0;
  #leaveGate: (() => void) | undefined;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    const { dispatcher, origin, path, method, headers, body } = options;
    try {
      dispatcher.dispatch({ origin, path, method, headers, body: body as Buffer | string | null }, this);
    } catch (error) {
      this.#fail(error as Error);
    }
  }

  abort(error: AppError): void {
    this.#fail(error);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    const { notAfter } = this.#options;
    if (notAfter !== undefined && performance.now() > notAfter)
      this.#fail(new AppError('TURN_OVER', 'the turn ran out before the request was sent'));
    if (this.#settled) controller.abort(new AppError('CANCELLED', 'nobody waits for this any more'));
    // undici writes the request in this same step. A start that is noted after that is never earlier than it was.
    else queueMicrotask(() => this.#options.onStart?.());
  }

  onRequestUpgrade(): void {
    this.#fail(new AppError('RESPONSE_INVALID', 'the server switched protocols unasked'));
  }

  onResponseStart(_: unknown, status: number, headers: Record<string, string | string[] | undefined>): void {
    // 1xx: the real answer is still to come.
    if (status < 200 || this.#settled) return;
    this.#firstByteAt = performance.now();
    this.#status = status;
    this.#headers = joinHeaders(headers);
    const { discards, maxBytes, method } = this.#options;
    this.#discarding = discards(status, this.#headers);
    const announced = Number(this.#headers['content-length']);
    if (method === 'HEAD' || !(announced > 0)) return;
    if (this.#discarding) {
      if (announced > MAX_DISCARDED) this.#finish(true);
    } else if (announced > maxBytes) this.#fail(tooLarge(maxBytes));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#settled) return;
    this.#received += chunk.length;
    if (this.#discarding) {
      if (this.#received > MAX_DISCARDED) this.#finish(true);
      return;
    }
    if (this.#received > this.#options.maxBytes) {
      this.#fail(tooLarge(this.#options.maxBytes));
      return;
    }
    if (this.#large !== undefined) this.#large.set(chunk, this.#received - chunk.length);
    else this.#chunks.push(chunk);
    if (this.#received > LARGE_BODY && this.#large === undefined) this.#becomeLarge(controller);
  }

  onResponseEnd(): void {
    // undici takes the connection back one turn of the event loop later. A request before that would open
    // another one, so the answer waits until then; the microtask puts it behind undici's own step.
    queueMicrotask(() => setImmediate(() => this.#finish(false)));
  }

  onResponseError(_: unknown, error: Error): void {
    this.#fail(error);
  }

  /** From here on chunks are copied at once: kept until the end they would outlive it, waiting for a large collection. */
  #becomeLarge(controller: Dispatcher.DispatchController): void {
    this.#large = new Uint8Array(Number(this.#headers['content-length']) || this.#options.maxBytes);
    let at = 0;
    for (const chunk of this.#chunks.splice(0)) {
      this.#large.set(chunk, at);
      at += chunk.length;
    }
    controller.pause();
    this.#options.largeBodies.enter().then(
      (leave) => {
        if (this.#settled) return leave();
        this.#leaveGate = leave;
        controller.resume();
      },
      (error: Error) => this.#fail(error),
    );
  }

  /** `early`: the server is still sending, and an unread rest would block the connection. */
  #finish(early: boolean): void {
    if (this.#settled) return;
    const body = this.#discarding ? EMPTY : this.#takeBody();
    this.#end();
    this.#resolve({ status: this.#status, headers: this.#headers, body, firstByteAt: this.#firstByteAt });
    if (early) this.#controller?.abort(new AppError('CANCELLED', 'the rest is not wanted'));
  }

  #takeBody(): Buffer {
    const large = this.#large;
    this.#large = undefined;
    return large === undefined
      ? joinChunks(this.#chunks, this.#received)
      : Buffer.from(large.buffer.transfer(this.#received));
  }

  #fail(error: Error): void {
    if (this.#settled) return;
    this.#end();
    this.#reject(error);
    this.#controller?.abort(error);
  }

  #end(): void {
    this.#settled = true;
    this.#chunks = [];
    this.#large?.buffer.transfer(0);
    this.#leaveGate?.();
  }
}

const EMPTY = Buffer.alloc(0);

const tooLarge = (maxBytes: number) => new AppError('TOO_LARGE', `the body is larger than ${maxBytes} bytes`);

/** A chunk is a window on a read buffer many times its size; keeping a small one would keep all of that. */
function joinChunks(chunks: Buffer[], length: number): Buffer {
  const only = chunks.length === 1 ? chunks[0]! : undefined;
  return only !== undefined && only.length * 2 > only.buffer.byteLength ? only : Buffer.concat(chunks, length);
}

function joinHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  for (const name in headers) {
    const value = headers[name];
    if (typeof value !== 'string') headers[name] = value?.join(', ') ?? '';
  }
  return headers as Record<string, string>;
}
