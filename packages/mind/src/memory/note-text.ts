import type { PlannedNote } from '@bulkhead/memory';

/** The outcome of a note, or of its plan, for model and person. */
export function noteText(planned: PlannedNote, would: boolean): string {
  const { path, after, added, removed, known } = planned;
  const there = known.map((line) => `There already in ${path}: ${line}`);
  if (after === undefined) return ['Nothing new to write.', ...there].join('\n');
  const verb = would ? 'Would write' : 'Wrote';
  const gone = removed === undefined ? [] : removed.split('\n').map((line) => `- ${line}`);
  return [`${verb} to ${path}:`, ...gone, ...added.map((line) => `+ ${line}`), ...there].join('\n');
}
