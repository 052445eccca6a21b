import { create } from '@bufbuild/protobuf';
import { scriptedClient } from '@bulkhead/client/testing';
import {
  CompactSessionResponseSchema,
  ListRulesResponseSchema,
  PinRuleResponseSchema,
  UnpinRuleResponseSchema,
} from '@bulkhead/protocol/client';
import { describe, expect, it } from 'vitest';
import { compactChat, compactionLines } from './compact.ts';
import { listPins, pin, unpin } from './pins.ts';

describe('/compact', () => {
  const said = async (init: object, focus = '') => {
    const compactSession = async () => create(CompactSessionResponseSchema, init);
    return await compactChat(scriptedClient({ compactSession }), 's', focus);
  };

  const lines = (init: object) => compactionLines('s', create(CompactSessionResponseSchema, init));

  it('says what became of it and how to take it back, in a chat what its events don’t [K3] [K4]', async () => {
    const back = 'undo with: bulkhead sessions move s e8';
    expect(lines({ entryId: 'e9', undoEntryId: 'e8' })).toEqual([
      'conversation compacted: its beginning is now a summary',
      back,
    ]);
    expect(lines({ entryId: 'e9', byRule: true })[0]).toContain('no model could summarize');
    expect(await said({ entryId: 'e9', undoEntryId: 'e8' })).toEqual([back]);
    expect(await said({ entryId: 'e9', undoEntryId: 'e8', byRule: true }, 'the design')).toEqual([
      '"the design" was not used: no model wrote the summary',
      back,
    ]);
    expect(await said({ entryId: 'e9', undoEntryId: 'e8', focusUsed: true }, 'the design')).toEqual([back]);
    expect((await said({ afterwards: true }))[0]).toContain('compacted after it');
    expect((await said({}))[0]).toContain('nothing to compact');
  });
});

describe('/pin', () => {
  const rules: string[] = [];
  const client = scriptedClient({
    listRules: async () => create(ListRulesResponseSchema, { rules }),
    pinRule: async ({ rule = '' }) => create(PinRuleResponseSchema, { rules: [...rules, rule] }),
    unpinRule: async ({ number = 0 }) => create(UnpinRuleResponseSchema, { rules: [`without ${number}`] }),
  });

  it('lists, adds and takes away by number, and refuses what is no number', async () => {
    expect(await listPins(client, 's')).toEqual(['no rule is pinned']);
    expect(await pin(client, 's', 'be brief')).toEqual(['1. be brief']);
    expect(await pin(client, 's', ' ')).toEqual(['no rule is pinned']);
    expect(await unpin(client, 's', '2')).toEqual(['1. without 2']);
    await expect(unpin(client, 's', 'two')).rejects.toMatchObject({ code: 'usage' });
  });
});
