/** What an engine says about itself when it is asked. */
export interface EngineReport {
  engine: string;
  /** Absent: the engine is part of this program. */
  version?: string;
  /** A short fact for people: how much it holds, which model it runs. */
  detail: string;
  latencyMs: number;
}

/**
 * Part of every port whose driver stands before an engine. Doctor and readiness repeat what the driver says, never what a
 * setting asks for.
 */
export interface Engine {
  /** The engine's own name: postgres, redis, files. */
  readonly engine: string;
  /** Asks the engine for something that only it can answer; rejects with the reason when it does not. */
  check(): Promise<EngineReport>;
}
