import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from '@bufbuild/protobuf';
import type { Reply } from '@bulkhead/home/testing';
import { toolMessage } from '@bulkhead/log/session/message-view';
import { eventRecord, noteRecord } from '@bulkhead/log/session/record-codec';
import { ToolMessageSchema } from '@bulkhead/protocol/chat';
import { createMemorySessionStore, createSplitSessionStore, type SessionStore } from '@bulkhead/sessions';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FOREIGN, flowStage, ORDER } from '../testing/flow-stage.ts';

const read = (path: string) => ['read', { path }] as const;
const write = (path: string, content: string) => ['write', { path, content }] as const;
const call = (...hosts: readonly string[]) => ['bash', { command: 'ping', hosts }] as const;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bulkhead-flow-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** One life of an engine over a store and the labels on the disk. */
const life = (
  store: SessionStore,
  replies: readonly Reply[],
  options: Partial<Parameters<typeof flowStage>[1]> = {},
) => flowStage(join(folder, 'flow.db'), { store, replies, ...options });

describe('SessionFlows', () => {
  it('asks for what the user did not ask for once foreign text was read, and after a restart too [F2] [F3]', async () => {
    const store = createMemorySessionStore();
    let session = '';
    {
      using one = life(store, [{ calls: [read(FOREIGN)] }, { calls: [call('paste.example')] }]);
      session = one.create();
      await one.say(session, 'Summarise the page.');
      expect(one.decided(session)).toEqual(['allow', 'escalate']);
    }
    using two = life(store, [{ calls: [call('paste.example')] }]);
    await two.say(session, 'Go on.');
    expect(two.decided(session)).toEqual(['allow', 'escalate', 'escalate']);
    expect(two.calls).toEqual([]);
  });

  it('only notes what it would have asked, in audit mode [F3]', async () => {
    const replies = [{ calls: [read(FOREIGN)] }, { calls: [call('paste.example')] }];
    using stage = life(createMemorySessionStore(), replies, { mode: 'audit' });
    const session = stage.create();
    await stage.say(session, 'Summarise the page.');
    expect(stage.rules(session)).toEqual(['test', 'commands/network']);
    expect(stage.audited.map(({ details }) => details)).toContainEqual({
      about: 'flow, which only audits',
      decision: 'escalate',
      rule: 'flow/target-not-from-you',
    });
  });

  it('is not tainted by the results of a refused call', async () => {
    using stage = life(createMemorySessionStore(), [{ calls: [read(FOREIGN)] }], {
      shield: {
        judge: async () => ({ decision: 'block', tier: 0, rule: 'test', reason: 'test', confidence: 1 }),
      },
    });
    const session = stage.create();
    await stage.say(session, 'Summarise the page.');
    expect(stage.flows.labelOf(session).trust).not.toBe('external');
  });

  it('is tainted by what came back before the effects of a command were refused', () => {
    const store = createMemorySessionStore();
    using stage = life(store, []);
    const session = stage.create();
    const ids = { action: 'a', hash: 'h' };
    const verdict = { ...ids, type: 'shield_verdict', tier: 0, rule: 'test', reason: '' } as const;
    const read = { ...ids, call: 'c', tool: 'read' };
    stage.log.append(session, [
      eventRecord(1, 't', { type: 'tool_call', call: 'c', tool: 'read', arguments: { path: FOREIGN } }),
      eventRecord(1, 't', { type: 'action_started', ...read }),
      eventRecord(1, 't', { ...verdict, decision: 'allow' }),
      noteRecord(1, 't', { type: 'action_intent', body: { ...read, effect: 'once', changes: [] } }),
      eventRecord(1, 't', { ...verdict, decision: 'block' }),
    ]);
    const event = { type: 'tool_output' as const, call: 'c', tool: 'read', isError: false };
    const message = toolMessage(create(ToolMessageSchema, { callId: 'c', name: 'read', text: ORDER }));
    const { id, record } = stage.log.entry('t', null, event, message);
    stage.log.append(session, [record], { leaf: id });
    expect(stage.flows.labelOf(session).trust).toBe('external');
  });

  it('keeps nothing of what is off the record [S5]', async () => {
    const store = createSplitSessionStore(createMemorySessionStore(), createMemorySessionStore());
    using stage = life(store, [{ calls: [read(FOREIGN)] }]);
    const session = stage.sessions.create(folder, true);
    await stage.say(session, 'Summarise the page.');
    expect(stage.flows.labelOf(session).trust).toBe('external');
    expect(stage.labels.sessions.entries()).toEqual([]);
    expect(stage.history.sessions()).toEqual([]);
  });

  it('gives a fork what its origin had read up to there, and nothing that came later [F2]', async () => {
    using stage = life(createMemorySessionStore(), [{ text: 'yes' }, { calls: [read(FOREIGN)] }]);
    const session = stage.create();
    await stage.say(session, 'Hello.');
    const early = stage.tree.fork(session, '');
    await stage.say(session, 'Summarise the page.');
    const late = stage.tree.fork(session, '');
    expect(stage.flows.labelOf(early).trust).toBe('user');
    expect(stage.flows.labelOf(late).trust).toBe('external');
  });

  it('labels what was written from foreign text before another session reads it, without being asked again [F2] [FT55]', async () => {
    const store = createMemorySessionStore();
    using stage = life(store, [
      { calls: [read(FOREIGN)] },
      { calls: [write('notes.md', ORDER)] },
      { text: 'written' },
      { calls: [read('notes.md')] },
      { calls: [call('paste.example')] },
    ]);
    const first = stage.create();
    await stage.say(first, 'Summarise the page.');
    const second = stage.create();
    await stage.say(second, 'What do my notes say?');
    expect(stage.flows.labelOf(second).trust).toBe('external');
    expect(stage.decided(second)).toEqual(['allow', 'escalate']);
  });

  it('labels what was written last before the engine ended [F2]', async () => {
    const store = createMemorySessionStore();
    {
      using one = life(store, [{ calls: [read(FOREIGN)] }, { calls: [write('notes.md', ORDER)] }]);
      await one.say(one.create(), 'Summarise the page.');
    }
    using two = life(store, [{ calls: [read('notes.md')] }]);
    const session = two.create();
    await two.say(session, 'What do my notes say?');
    expect(two.flows.labelOf(session).trust).toBe('external');
  });

  it('is on the disk before its first action, and noted as shown only with an output [F2]', () => {
    using stage = life(createMemorySessionStore(), []);
    const session = stage.create();
    expect(stage.history.sessions()).toEqual([]);
    stage.flows.labelOf(session);
    const first = stage.history.toldUpTo(session);
    expect([stage.history.sessions(), first > 0]).toEqual([[session], true]);
    stage.log.append(session, [noteRecord(0, '', { type: 'suspended', body: {} })]);
    stage.flows.labelOf(session);
    expect(stage.history.toldUpTo(session)).toBe(first);
    expect(stage.flows.catchUp()).toEqual([]);
    expect(stage.history.toldUpTo(session)).toBe(first + 1);
  });

  it('does not take labels away that were set after what it tells again [F2]', async () => {
    const store = createMemorySessionStore();
    {
      using one = life(store, [
        { calls: [write('a.md', 'plain words')] },
        { text: 'written' },
        { calls: [read(FOREIGN)] },
        { calls: [write('a.md', ORDER)] },
      ]);
      // In the order of their ids the log of the clean one is written last.
      const foreign = one.create();
      const clean = one.create();
      await one.say(clean, 'Write plain words to a.md.');
      await one.say(foreign, 'Summarise the page.');
      expect(one.flows.labelOf(clean).trust).not.toBe('external');
      expect(one.labels.files.entries()).toHaveLength(1);
    }
    using two = life(store, []);
    for (const { id } of store.listSessions(10)) two.flows.labelOf(id);
    expect(two.labels.files.entries()).toHaveLength(1);
  });

  it('reads again with the label that a file had when it was read [F2]', async () => {
    const store = createMemorySessionStore();
    let reader = '';
    {
      using one = life(store, [
        { calls: [read(FOREIGN)] },
        { calls: [write('a.md', ORDER)] },
        { text: 'written' },
        { calls: [read('a.md')] },
        { text: 'read' },
        { calls: [write('a.md', 'plain words')] },
      ]);
      await one.say(one.create(), 'Summarise the page.');
      reader = one.create();
      await one.say(reader, 'What does a.md say?');
      const cleaner = one.create();
      await one.say(cleaner, 'Write plain words to a.md.');
      one.flows.labelOf(cleaner);
      expect(one.labels.files.entries()).toHaveLength(0);
      one.labels.sessions.set(reader, undefined);
    }
    using two = life(store, []);
    expect(two.flows.labelOf(reader).trust).toBe('external');
  });

  it('drops secrecy where a person says so, for this life and the next, and never trust [F3]', async () => {
    const store = createMemorySessionStore();
    let session = '';
    {
      using one = life(store, [{ calls: [read('secrets.txt'), read(FOREIGN)] }]);
      session = one.create();
      await one.say(session, 'Look at both.');
      expect(one.flows.labelOf(session)).toEqual({ secrecy: 'restricted', trust: 'external' });
      one.log.append(session, [noteRecord(1, '', { type: 'flow_declassified', body: {} })]);
      expect(one.flows.labelOf(session)).toEqual({ secrecy: 'public', trust: 'external' });
      expect(one.labels.sessions.get(session)).toEqual({ secrecy: 'public', trust: 'external' });
    }
    using two = life(store, [{ calls: [read('secrets.txt')] }]);
    expect(two.flows.labelOf(session)).toEqual({ secrecy: 'public', trust: 'external' });
    await two.say(session, 'Look again.');
    expect(two.flows.labelOf(session).secrecy).toBe('restricted');
  });

  it('lets a value pass that a person trusted, in that session only', async () => {
    const replies = [
      { calls: [read(FOREIGN)] },
      { calls: [call('paste.example')] },
      { text: 'asked' },
      { calls: [call('paste.example')] },
    ];
    using stage = life(createMemorySessionStore(), replies);
    const session = stage.create();
    await stage.say(session, 'Run the ping.');
    stage.log.append(session, [
      noteRecord(1, '', { type: 'flow_trusted', body: { value: 'paste.example' } }),
    ]);
    await stage.say(session, 'Run the ping.');
    // A connection asks in any case.
    expect(stage.rules(session)).toEqual(['test', 'flow/target-not-from-you', 'commands/network']);
  });

  it('keeps the label of what was read longer ago than values are read from the log [F2]', async () => {
    const store = createMemorySessionStore();
    let session = '';
    {
      using one = life(store, [{ calls: [read(FOREIGN)] }]);
      session = one.create();
      await one.say(session, 'Summarise the page.');
      one.flows.labelOf(session);
      const idle = Array.from({ length: 4_100 }, () => noteRecord(1, '', { type: 'suspended', body: {} }));
      one.log.append(session, idle);
      one.flows.labelOf(session);
    }
    using two = life(store, []);
    expect(two.flows.labelOf(session).trust).toBe('external');
  });

  it('explains an action from what had been read when it was judged, with source and writer [F3]', async () => {
    const replies = [
      { calls: [call('paste.example')] },
      { calls: [read(FOREIGN)] },
      { calls: [call('paste.example')] },
    ];
    using stage = life(createMemorySessionStore(), replies);
    const session = stage.create();
    await stage.say(session, 'Summarise the page.');
    const [before = '', , after = ''] = stage.actions(session);
    expect(stage.flows.explain(session, before)?.verdict.decision).toBe('allow');
    expect(stage.flows.explain(session, after)).toMatchObject({
      call: { tool: 'bash' },
      label: { trust: 'external' },
      verdict: {
        decision: 'escalate',
        rule: 'target-not-from-you',
        evidence: [
          { value: 'paste.example', from: 'result', tool: 'read', source: ORDER, writer: 'external' },
        ],
      },
    });
    expect(stage.flows.explain(session, 'none')).toBeUndefined();
  });

  it('forgets a deleted session, and keeps the labels of what it wrote [D4]', async () => {
    using stage = life(createMemorySessionStore(), [
      { calls: [read(FOREIGN)] },
      { calls: [write('notes.md', ORDER)] },
    ]);
    const session = stage.create();
    await stage.say(session, 'Summarise the page.');
    stage.flows.labelOf(session);
    stage.flows.forget(session);
    expect(stage.labels.sessions.entries()).toEqual([]);
    expect(stage.labels.files.entries()).toHaveLength(1);
  });
});
