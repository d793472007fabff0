import { diffArrays } from 'diff';

export interface LineChange {
  kind: 'same' | 'added' | 'removed';
  text: string;
}

/** Above this many differences the texts have little in common, and a full search is not worth its cost. */
const MAX_EDITS = 500;

/** The shortest way from one text to another, line by line; of texts that differ too much: all out, all in. */
export function diffLines(before: string, after: string): LineChange[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const changes = diffArrays(old, now, { maxEditLength: MAX_EDITS }) ?? [
    { value: old, added: false, removed: true },
    { value: now, added: true, removed: false },
  ];
  return changes.flatMap(({ value, added, removed }) =>
    value.map((text): LineChange => ({ kind: added ? 'added' : removed ? 'removed' : 'same', text })),
  );
}
