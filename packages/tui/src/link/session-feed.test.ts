import { create } from '@bufbuild/protobuf';
import { BranchEntrySchema, SessionSummarySchema } from '@bulkhead/protocol/client';
import { itemsOf } from '@bulkhead/protocol/transcript';
import { expect, it } from 'vitest';
import { ScriptedLink } from '../testing/scripted-link.ts';
import { SessionFeed } from './session-feed.ts';

it('makes inert what a fork shares with the session it comes from, too [FT52]', async () => {
  const link = new ScriptedLink();
  const text = 'hello \x1b]0;evil\x07\u202e there';
  link.entries = [
    create(BranchEntrySchema, {
      entryId: 'e1',
      time: '2026-01-01T00:00:00Z',
      message: { role: { case: 'user', value: { text } } },
    }),
  ];
  using feed = new SessionFeed({
    link,
    place: {
      sessionId: 's',
      folder: '',
      known: create(SessionSummarySchema, { sessionId: 's', originSession: 'o', originEntry: 'e1' }),
    },
    onEvent: () => {},
    onConnection: () => {},
    onFailure: () => {},
  });
  await feed.read();
  const drawn = JSON.stringify([...itemsOf(feed.view.items)]);
  expect(drawn).toContain('hello');
  expect(drawn).not.toMatch(/\\u001b|\\u0007|\u202e/);
});
