/** Timers may fire a little early; this never does. Rejects with the signal's reason when that aborts first. */
export async function sleepUntil(time: number, signal?: AbortSignal): Promise<void> {
  for (let left = time - performance.now(); left > 0; left = time - performance.now()) await sleep(left, signal);
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    };
    const stop = () => {
      end();
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      end();
      resolve();
    }, Math.ceil(ms));
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop);
  });
}
