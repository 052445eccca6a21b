import { create } from '@bufbuild/protobuf';
import type { SessionEvent } from '@bulkhead/protocol';
import { type BranchEntry, BranchEntrySchema } from '@bulkhead/protocol/client';
import { emptyTranscript, foldEvent, itemsOf, parseEvent } from '@bulkhead/protocol/transcript';
import { expect, it } from 'vitest';
import { branchOf, currentItems } from './branch.ts';

const timeOf = (seq: number): string => new Date(1_700_000_000_000 + seq * 1_000).toISOString();

/** A question and its answer in two rounds, as events. */
function exchange(from: number, words: string): readonly SessionEvent[] {
  const said = (seq: number, body: object) =>
    parseEvent(JSON.stringify({ seq, time: timeOf(seq), session: 's', turn: words, ...body }));
  const events = [
    said(from, { type: 'message_end', role: 'user', entry: `e${from}`, input: words, text: words }),
    said(from + 1, { type: 'message_start', role: 'assistant' }),
    said(from + 2, { type: 'message_end', role: 'assistant', entry: `e${from + 2}`, text: `${words} 1` }),
    said(from + 3, { type: 'message_start', role: 'assistant' }),
    said(from + 4, { type: 'message_end', role: 'assistant', entry: `e${from + 4}`, text: `${words} 2` }),
  ];
  return events.filter((event) => event !== undefined);
}

const entry = (seq: number, role: 'user' | 'assistant'): BranchEntry => {
  const value =
    role === 'user' ? { case: 'user' as const, value: {} } : { case: 'assistant' as const, value: {} };
  return create(BranchEntrySchema, { entryId: `e${seq}`, time: timeOf(seq), message: { role: value } });
};

it('keeps what the branch has, also one that was left in the middle of an answer, and what came after it was read', () => {
  const events = [...exchange(1, 'left'), ...exchange(11, 'kept'), ...exchange(21, 'new')];
  const items = [...itemsOf(events.reduce(foldEvent, emptyTranscript()).items)];
  const read = branchOf(
    [
      entry(1, 'user'),
      entry(3, 'assistant'),
      entry(11, 'user'),
      entry(13, 'assistant'),
      entry(15, 'assistant'),
    ],
    6,
  );
  const current = currentItems(items, read);
  expect(current.items.map((item) => (item.kind === 'message' ? item.text : ''))).toEqual([
    'left',
    'left 1',
    'kept',
    'kept 1',
    'kept 2',
    'new',
    'new 1',
    'new 2',
  ]);
  expect(current.left).toBe(1);
  expect(current.places.get(3)).toMatchObject({ entryId: 'e11', before: 'e3' });
  expect(currentItems(items, undefined)).toMatchObject({ left: 0 });
});

it('goes on with what is new of a branch, and begins anew where it was given the whole', () => {
  const read = branchOf([entry(1, 'user'), entry(3, 'assistant')], 2);
  const longer = branchOf([entry(11, 'user')], 3, read);
  expect([...longer.places.keys()]).toEqual(['e1', 'e3', 'e11']);
  expect(longer.places.get('e11')).toMatchObject({ before: 'e3' });
  expect(longer).toMatchObject({ last: 'e11', until: 3 });
  expect(branchOf([], 4, longer)).toMatchObject({ last: 'e11', places: longer.places });
  const moved = branchOf([entry(1, 'user'), entry(21, 'assistant')], 4, longer);
  expect([...moved.places.keys()]).toEqual(['e1', 'e21']);
});
