import type { App } from '../app.ts';

export interface JobContext {
  app: App;
  /**
   * Aborts when the process stops, the job's lease is lost, it is cancelled, or its time is over: the reason is then an
   * AppError, CANCELLED or TIMEOUT, and the job is not run again.
   */
  signal: AbortSignal;
  /** Milliseconds it may take in all. */
  timeoutMs: number;
  /** A rejection is final: it is not run again, whatever the error. */
  lastAttempt: boolean;
  /** Shown by `GET /jobs/:id`; merged into the progress stored before. */
  progress(state: Record<string, unknown>): Promise<void>;
}

/**
 * Background work that is not a page fetch. `run` may be called again after a crash, so doing it twice must do no harm.
 * A rejection with a retryable error puts it off with a growing delay; any other ends it as failed.
 */
export interface Job {
  readonly kind: string;
  /** How long it may take, where its work is as long as what there is to read: the setting is for all others. */
  readonly timeoutS?: number;
  run(context: JobContext, payload: Record<string, unknown>): Promise<Record<string, unknown> | undefined>;
}
