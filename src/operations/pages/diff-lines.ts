export interface LineChange {
  kind: 'same' | 'added' | 'removed';
  text: string;
}

/** Above this many differences the texts have little in common, and a full search would cost more than it tells. */
const MAX_EDITS = 500;

/**
 * The shortest way from one text to another, line by line (Myers' greedy algorithm): equal lines at both ends are set
 * aside first, then paths with ever more edits are followed until one reaches the end.
 */
export function diffLines(before: string, after: string): LineChange[] {
  const [a, b] = [before.split('\n'), after.split('\n')];
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  const same = (lines: string[]): LineChange[] => lines.map((text) => ({ kind: 'same', text }));
  return [
    ...same(a.slice(0, head)),
    ...search(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...same(tail === 0 ? [] : a.slice(-tail)),
  ];
}

function search(a: string[], b: string[]): LineChange[] {
  // reach[k]: how far into `a` the furthest path on diagonal k = x - y has come; one copy per number of edits.
  const reach = new Map<number, number>([[1, 0]]);
  const trail: Map<number, number>[] = [];
  for (let edits = 0; edits <= Math.min(a.length + b.length, MAX_EDITS); edits++) {
    trail.push(new Map(reach));
    for (let k = -edits; k <= edits; k += 2) {
      const down = k === -edits || (k !== edits && (reach.get(k - 1) ?? -1) < (reach.get(k + 1) ?? -1));
      let x = down ? (reach.get(k + 1) ?? 0) : (reach.get(k - 1) ?? 0) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      reach.set(k, x);
      if (x >= a.length && x - k >= b.length) return walkBack(a, b, trail);
    }
  }
  return [
    ...a.map((text): LineChange => ({ kind: 'removed', text })),
    ...b.map((text): LineChange => ({ kind: 'added', text })),
  ];
}

function walkBack(a: string[], b: string[], trail: Map<number, number>[]): LineChange[] {
  const changes: LineChange[] = [];
  let [x, y] = [a.length, b.length];
  for (let edits = trail.length - 1; edits >= 0; edits--) {
    const reach = trail[edits]!;
    const k = x - y;
    const down = k === -edits || (k !== edits && (reach.get(k - 1) ?? -1) < (reach.get(k + 1) ?? -1));
    const from = down ? k + 1 : k - 1;
    const startX = edits === 0 ? 0 : (reach.get(from) ?? 0);
    const startY = edits === 0 ? 0 : startX - from;
    while (x > startX && y > startY && x > 0 && y > 0 && a[x - 1] === b[y - 1]) {
      changes.push({ kind: 'same', text: a[--x]! });
      y--;
    }
    if (edits === 0) break;
    changes.push(down ? { kind: 'added', text: b[--y]! } : { kind: 'removed', text: a[--x]! });
  }
  return changes.reverse();
}
