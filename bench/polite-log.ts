/** A request as the site saw it, in milliseconds since 1970. */
export interface Seen {
  /** It arrived after this, and … */
  s: number;
  /** … it was read. */
  t: number;
  /** Its answer was written, or its connection was gone. */
  e: number;
  h: string;
  p: string;
}

/** What one host was promised. */
export type Promised = { delayMs: number } | { rps: number; concurrency: number };

export interface Verdict {
  /** One line for each request that came closer to the start of the one before than the rate allows. */
  earlyStarts: string[];
  /** Of requests that seem to have done so, how many may not: the site was held up when it read the one before. */
  unsure: number;
  /** The same for requests that came less than the delay after the answer before them. */
  earlyAfterAnswer: string[];
  /** Requests that arrived while as many as allowed were under way. */
  overConcurrency: string[];
  /** Requests seen, as a part of those that could have been while pages of its own waited. */
  share: number;
  mostUnderWay: number;
}

/** Holds what a host saw against what it was promised. */
export function judge(seen: readonly Seen[], promised: Promised): Verdict {
  const inOrder = seen.toSorted((a, b) => a.t - b.t);
  const verdict: Verdict = {
    earlyStarts: [],
    unsure: 0,
    earlyAfterAnswer: [],
    overConcurrency: [],
    share: 0,
    mostUnderWay: 0,
  };
  const limit = 'rps' in promised ? promised.concurrency : 1;
  let open: Seen[] = [];
  let answered = Number.NEGATIVE_INFINITY;
  for (const [index, request] of inOrder.entries()) {
    const before = inOrder[index - 1];
    const describe = (ms: number) => `${request.h}: ${before?.p} then ${request.p} after ${ms.toFixed(1)} ms`;
    for (const { e } of open) if (e <= request.t) answered = Math.max(answered, e);
    open = open.filter(({ e }) => e > request.t);
    if (open.length >= limit) verdict.overConcurrency.push(`${describe(0)}, ${open.length + 1} under way`);
    open.push(request);
    verdict.mostUnderWay = Math.max(verdict.mostUnderWay, open.length);
    if ('rps' in promised) {
      const leastMs = 1_000 / promised.rps;
      const mostMs = request.t - (before?.s ?? Number.NEGATIVE_INFINITY);
      if (mostMs < leastMs) verdict.earlyStarts.push(describe(mostMs));
      else if (before !== undefined && request.t - before.t < leastMs) verdict.unsure++;
    } else if (request.t - answered < promised.delayMs) {
      verdict.earlyAfterAnswer.push(describe(request.t - answered));
    }
  }
  // After the last page of its own, nothing waits: what others' redirects lead here comes when it comes.
  const end = inOrder.findLastIndex(({ p }) => p.startsWith('/page/')) + 1;
  verdict.share = shareOf(inOrder.slice(0, end), promised);
  return verdict;
}

function shareOf(inOrder: readonly Seen[], promised: Promised): number {
  const first = inOrder[0];
  const last = inOrder.at(-1);
  if (first === undefined || last === undefined || first === last) return 0;
  const leastMs =
    'rps' in promised
      ? ((inOrder.length - 1) * 1_000) / promised.rps
      : inOrder.slice(0, -1).reduce((sum, { t, e }) => sum + (e - t) + promised.delayMs, 0);
  return leastMs / (last.t - first.t);
}
