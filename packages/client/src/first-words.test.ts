import { create } from '@bufbuild/protobuf';
import { type BranchEntry, BranchEntrySchema, SessionSummarySchema } from '@bulkhead/protocol/client';
import { expect, it } from 'vitest';
import { firstWords } from './first-words.ts';

const session = (sessionId: string, messages: number, title = '') =>
  create(SessionSummarySchema, { sessionId, messages, title });

async function* branchOf(sessionId: string): AsyncGenerator<BranchEntry> {
  if (sessionId === 'broken') throw new Error('it can not be read');
  yield create(BranchEntrySchema, { entryId: 'a', type: 'note' });
  const text = `\n  words of ${sessionId}  \nmore`;
  yield create(BranchEntrySchema, { entryId: 'b', message: { role: { case: 'user', value: { text } } } });
  throw new Error('read further than needed');
}

it('tells what sessions without a title begin with, and nothing of those that have one, are empty or broken', async () => {
  const asked: string[] = [];
  const client = {
    readBranch: ({ sessionId = '' }) => {
      asked.push(sessionId);
      return branchOf(sessionId);
    },
  };
  const sessions = [
    session('one', 2),
    session('named', 4, 'A title'),
    session('empty', 0),
    session('broken', 3),
  ];
  const words = await firstWords(client, sessions, new AbortController().signal);
  expect([...words]).toEqual([['one', 'words of one …']]);
  expect(asked).toEqual(['one', 'broken']);
});
