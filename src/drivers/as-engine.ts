import type { Engine, EngineReport } from '../ports/engine.ts';

/** A port's driver before it has its engine's name and `check`. */
export type Bare<Port extends Engine> = Omit<Port, keyof Engine>;

/** Gives a driver its engine's name, and `check`, which runs `ask` and measures the time. */
export function asEngine<Port extends Engine>(
  engine: string,
  driver: Bare<Port>,
  ask: () => Promise<Pick<EngineReport, 'version' | 'detail'>>,
): Port {
  const check = async (): Promise<EngineReport> => {
    const start = performance.now();
    const answer = await ask();
    return { engine, ...answer, latencyMs: Math.round((performance.now() - start) * 10) / 10 };
  };
  return Object.assign(driver, { engine, check }) as Bare<Port> & Engine as Port;
}
