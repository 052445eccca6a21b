import { create } from '@bufbuild/protobuf';
import {
  type ReadBranchResponse,
  ReadBranchResponseSchema,
  SessionSummarySchema,
} from '@bulkhead/protocol/client';
import { expect, it } from 'vitest';
import { firstWords } from './first-words.ts';
import { scriptedClient } from './testing/scripted-client.ts';

const session = (sessionId: string, messages: number, title = '') =>
  create(SessionSummarySchema, { sessionId, messages, title });

async function* branchOf(sessionId: string): AsyncGenerator<ReadBranchResponse> {
  if (sessionId === 'broken') throw new Error('it can not be read');
  yield create(ReadBranchResponseSchema, { entries: [{ entryId: 'a', type: 'note' }] });
  const text = `\n  words of ${sessionId}  \nmore`;
  const message = { role: { case: 'user' as const, value: { text } } };
  yield create(ReadBranchResponseSchema, { entries: [{ entryId: 'b', message }] });
  throw new Error('read further than needed');
}

it('tells what sessions without a title begin with, and nothing of those that have one, are empty or broken', async () => {
  const asked: string[] = [];
  const client = scriptedClient(
    {},
    {
      readBranch: ({ sessionId = '' }) => {
        asked.push(sessionId);
        return branchOf(sessionId);
      },
    },
  );
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
