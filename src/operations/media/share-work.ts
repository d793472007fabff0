import { AppError } from '../../errors.ts';

interface Flight<T> {
  result: Promise<T>;
  waiting: number;
  stop: AbortController;
}

/** Work under way in this process, by key. */
export type Flights<T> = Map<string, Flight<T>>;

/**
 * Does the work of a key once for all callers that ask for it at the same time. A caller whose signal aborts leaves with
 * CANCELLED; the work itself is aborted when no caller waits for it any more. `shared`: another caller started it.
 */
export async function shareWork<T>(
  flights: Flights<T>,
  key: string,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<{ value: T; shared: boolean }> {
  const known = flights.get(key);
  const flight = known ?? start(flights, key, work);
  flight.waiting++;
  const left = Promise.withResolvers<never>();
  const leave = () => left.reject(new AppError('CANCELLED', 'the caller left', { cause: signal?.reason }));
  signal?.addEventListener('abort', leave);
  if (signal?.aborted) leave();
  try {
    return { value: await Promise.race([flight.result, left.promise]), shared: known !== undefined };
  } finally {
    signal?.removeEventListener('abort', leave);
    flight.waiting--;
    if (flight.waiting === 0) {
      flight.stop.abort();
      // A later caller must not join work that was aborted.
      if (flights.get(key) === flight) flights.delete(key);
    }
  }
}

function start<T>(flights: Flights<T>, key: string, work: (signal: AbortSignal) => Promise<T>): Flight<T> {
  const stop = new AbortController();
  const result = work(stop.signal);
  // The last caller may have left: the failure is then without a reader.
  result.catch(() => {});
  const flight = { result, waiting: 0, stop };
  flights.set(key, flight);
  return flight;
}
