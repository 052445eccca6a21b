import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type MemoryHit, ProfileFiles } from '@bulkhead/memory';
import { memoryTables } from '@bulkhead/sessions/testing';
import { createRedaction, type Label } from '@bulkhead/shield';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLineRecords } from './line-records.ts';
import { MemoryLabels } from './memory-labels.ts';

const STRANGER: Label = { secrecy: 'confidential', trust: 'external' };
const SECRET = 'Zq81kkPm27xVt04c';
/** Of more characters than a piece of an index has. */
const LONG = `- 2026-11-22: ${Array.from({ length: 400 }, (_, at) => `word${at}`).join(' ')}`;

let root: string;
let stack: DisposableStack;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'bulkhead-stale-')));
  stack = new DisposableStack();
});
afterEach(() => {
  stack.dispose();
  rmSync(root, { recursive: true, force: true });
});

/** The labels of hits in a memory with one line by a stranger. */
function labelsOf(text: string) {
  writeFileSync(join(root, 'MEMORY.md'), text);
  const records = createLineRecords(stack.use(memoryTables()), 'default');
  const record = { author: 'agent', session: 's', action: 'a', time: 1, label: STRANGER } as const;
  records.put([LONG], 'MEMORY.md', record);
  const labels = new MemoryLabels({
    files: new ProfileFiles(root, () => '0123456789abcdef'),
    redaction: createRedaction([SECRET]),
    records,
    labelOfSession: () => STRANGER,
  });
  return (hit: Pick<MemoryHit, 'text' | 'lines'>) =>
    labels.ofHits([{ source: 'memory', path: 'MEMORY.md', heading: '', date: '', score: 1, ...hit }]);
}

describe('a hit of an index that is behind its files', () => {
  const piece = LONG.slice(700, 2_000);

  it('carries what its line carries while that is where it was', () => {
    expect(labelsOf(`mine\n${LONG}\n`)({ text: piece, lines: [2, 2] })).toEqual(STRANGER);
  });

  it.each([
    ['moved', `mine\nalso mine\n${LONG}\n`],
    ['gone', 'mine\nalso mine\n'],
    ['in no file any more', ''],
  ])('counts as anybody’s if its line is %s [FT54] [F2]', (_where, text) => {
    expect(labelsOf(text)({ text: piece, lines: [2, 2] })).toEqual({
      secrecy: 'internal',
      trust: 'external',
    });
  });

  it.each([
    ['as it stands', 'The ferry leaves at nine.'],
    ['in pieces that overlap', 'The ferry leaves\nleaves at nine.'],
    ['redacted', 'The ferry leaves at nine.'],
  ])('is the user’s own, %s, beside a line that is not', (how, text) => {
    const line = how === 'redacted' ? `${text} Key ${SECRET}` : text.replace('leaves\nleaves', 'leaves');
    const hit = how === 'redacted' ? createRedaction([SECRET]).redact(line) : text;
    expect(labelsOf(`mine\n${line}\r\n${LONG}\n`)({ text: `mine\n${hit}`, lines: [1, 2] })).toBeUndefined();
  });
});
