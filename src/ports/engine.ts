/** What an engine reports about itself. */
export interface EngineReport {
  engine: string;
  /** Absent: the engine is part of this program. */
  version?: string;
  /** A short fact for display: how much it holds, which model it runs. */
  detail: string;
  latencyMs: number;
}

/**
 * Part of every port whose driver uses an engine. Doctor and readiness report what the driver says, never what a
 * setting claims.
 */
export interface Engine {
  /** The engine's own name: postgres, redis, files. */
  readonly engine: string;
  /** Sends the engine a query that only it can answer; rejects with the reason when it does not. */
  check(): Promise<EngineReport>;
}
