import fc from 'fast-check';
import { assistantMessage, entry, mark, toolMessage, userMessage } from '../testing.ts';

export interface Step {
  readonly parent: number;
  readonly kind: string;
  readonly text: string;
}

const step: fc.Arbitrary<Step> = fc.record({
  parent: fc.nat(),
  kind: fc.constantFrom('user', 'assistant', 'tool', 'label', 'compaction', 'branch_summary', 'custom'),
  text: fc.string({ unit: 'binary' }),
});

export const randomTree: fc.Arbitrary<readonly Step[]> = fc.array(step, { maxLength: 12 });

/** The records of a tree; each step grows from one of those before it, or from nothing. */
export function recordsOf(tree: readonly Step[]) {
  return tree.map((each, n) => {
    const over = n === 0 ? null : parentOf(each, n);
    return stepRecord(each, `e${n}`, over);
  });
}

function parentOf({ parent }: Step, n: number): string | null {
  const at = parent % (n + 1);
  return at === n ? null : `e${at}`;
}

function stepRecord({ kind, text }: Step, id: string, parent: string | null) {
  const placed = { id, parent };
  if (kind === 'label' && parent !== null)
    return { ...mark(kind, id, parent, { label: text }), entry: placed };
  if (kind === 'compaction') {
    return { ...mark(kind, id, parent, { summary: text, keptFrom: parent ?? id }), entry: placed };
  }
  if (kind === 'branch_summary') {
    return { ...mark(kind, id, parent, { summary: text, left: parent ?? '' }), entry: placed };
  }
  if (kind === 'custom') return { ...mark(kind, id, parent, { name: 'x', data: text }), entry: placed };
  return { ...entry(id, parent, messageOf(kind, text)), entry: placed };
}

function messageOf(kind: string, text: string) {
  if (kind === 'user') return userMessage(text);
  return kind === 'tool' ? toolMessage(text) : assistantMessage(text);
}
