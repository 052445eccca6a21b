import { create } from '@bufbuild/protobuf';
import type { SessionEvent } from '@bulkhead/protocol';
import { type BranchEntry, BranchEntrySchema } from '@bulkhead/protocol/client';
import { emptyTranscript, foldEvent, itemsOf, parseEvent } from '@bulkhead/protocol/transcript';
import { expect, it } from 'vitest';
import { type Branch, branchOf, currentItems } from './branch.ts';
import { againAfter } from './failed-turns.ts';

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

/** A question whose run failed before it did anything. */
function failure(from: number, words: string): readonly SessionEvent[] {
  const event = (seq: number, body: object) =>
    parseEvent(JSON.stringify({ seq, time: timeOf(seq), session: 's', turn: `t${from}`, ...body }));
  const usage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 0 };
  const error = { code: 'provider_auth', message: 'wrong key' };
  const events = [
    event(from, { type: 'agent_start', message: `m${from}`, sandbox: 'on' }),
    event(from + 1, { type: 'message_end', role: 'user', entry: `e${from}`, input: `m${from}`, text: words }),
    event(from + 2, {
      type: 'settled',
      message: `m${from}`,
      outcome: 'failed',
      answer: '',
      usage,
      cost: null,
      rounds: 1,
      error,
    }),
  ];
  return events.filter((each) => each !== undefined);
}

const textsOf = (events: readonly SessionEvent[], branch: Branch): readonly string[] =>
  currentItems(itemsOf(events.reduce(foldEvent, emptyTranscript()).items), branch).items.map((item) =>
    item.kind === 'message' ? item.text : item.kind,
  );

it('keeps failed questions, also several and before later ones, until the same words are sent again [I3]', () => {
  const asked = [...exchange(1, 'first'), ...failure(11, 'lost'), ...failure(21, 'lost too')];
  const read = [entry(1, 'user'), entry(3, 'assistant'), entry(5, 'assistant')];
  expect(textsOf(asked, branchOf(read, 7))).toEqual([
    'first',
    'first 1',
    'first 2',
    'lost',
    'end',
    'lost too',
    'end',
  ]);
  const again = [...asked, ...exchange(31, 'lost too')];
  const longer = [...read, entry(31, 'user'), entry(33, 'assistant'), entry(35, 'assistant')];
  expect(textsOf(again, branchOf(longer, 10)).slice(3)).toEqual([
    'lost',
    'end',
    'lost too',
    'lost too 1',
    'lost too 2',
  ]);
});

it('leaves a failed question out with the branch that it belonged to', () => {
  const moved = parseEvent(
    JSON.stringify({
      seq: 30,
      time: timeOf(30),
      session: 's',
      turn: '',
      type: 'leaf_moved',
      from: 'e5',
      to: '',
    }),
  );
  const asked = [...exchange(1, 'first'), ...failure(11, 'lost'), ...(moved === undefined ? [] : [moved])];
  const next = [...asked, ...failure(41, 'second try')];
  expect(textsOf(next, branchOf([], 9))).toEqual(['second try', 'end']);
});

it('offers to send a failed question again, and to go on after one whose work is kept', () => {
  const rowsOf = (events: readonly SessionEvent[]) => [
    ...itemsOf(events.reduce(foldEvent, emptyTranscript()).items),
  ];
  const rows = rowsOf(failure(1, 'lost'));
  expect(againAfter(rows, undefined)).toBeUndefined();
  expect(againAfter(rows, branchOf([], 2))).toMatchObject({ kind: 'retry', message: { text: 'lost' } });
  expect(againAfter(rows, branchOf([entry(1, 'user')], 2))).toEqual({ kind: 'continue' });
  expect(againAfter(rowsOf(exchange(1, 'well')), branchOf([entry(1, 'user')], 2))).toBeUndefined();
});
