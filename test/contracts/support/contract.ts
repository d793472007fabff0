import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Engine } from '../../../src/ports/engine.ts';

type Run = () => Promise<void>;

/** What every driver of a port must do. `Place` is what a case needs to have the driver: mostly a function that opens it. */
export interface Contract<Place> {
  port: string;
  cases(place: Place): { name: string; run: Run }[];
}

/** `describe` is called with the driver's place and names each case with `it`. */
export function defineContract<Place>(
  port: string,
  describe: (it: (name: string, run: Run) => void, place: Place) => void,
): Contract<Place> {
  return {
    port,
    cases(place) {
      const cases: { name: string; run: Run }[] = [];
      describe((name, run) => cases.push({ name, run }), place);
      return cases;
    },
  };
}

/** Belongs to every contract: the driver names its engine, and the engine answers. */
export async function assertAnswers(driver: Engine): Promise<void> {
  const report = await driver.check();
  assert.match(driver.engine, /^[a-z0-9-]{2,}$/);
  assert.equal(report.engine, driver.engine);
  assert.match(report.detail, /\S/);
  assert.match(report.version ?? 'none', /\S/);
  assert.ok(report.latencyMs >= 0 && report.latencyMs < 60_000, `${report.latencyMs} ms`);
}

/** One row of the contract matrix: a driver on its real engine. */
export function runContract<Place>(
  contract: Contract<Place>,
  driver: string,
  place: Place,
  options: { skip?: string | false } = {},
): void {
  describe(`${contract.port} contract: ${driver}`, options, () => {
    for (const { name, run } of contract.cases(place)) it(name, run);
  });
}

/** The test of the tests: a case that a driver passes without doing anything says nothing about any driver. */
export function expectEveryCaseToFail<Place>(contract: Contract<Place>, place: Place): void {
  describe(`${contract.port} contract: a driver that does nothing`, { concurrency: true }, () => {
    for (const { name, run } of contract.cases(place))
      it(`fails: ${name}`, async () => {
        await assert.rejects(run(), `"${name}" passes with a driver that does nothing`);
      });
  });
}
