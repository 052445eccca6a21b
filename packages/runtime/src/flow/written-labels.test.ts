import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { shippedFlow } from '@bulkhead/actions/testing';
import type { Reply } from '@bulkhead/home/testing';
import type { Action } from '@bulkhead/protocol';
import { createMemorySessionStore, type SessionStore } from '@bulkhead/sessions';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FOREIGN, flowStage, ORDER } from '../testing/flow-stage.ts';

const LABEL = { secrecy: 'internal', trust: 'external' } as const;
const read = (path: string) => ['read', { path }] as const;
const write = (path: string, content: string) => ['write', { path, content }] as const;

let root: string;
let folder: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'bulkhead-written-')));
  folder = join(root, 'work');
  mkdirSync(folder);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const at = (name: string) => join(folder, name);
const life = (
  store: SessionStore,
  replies: readonly Reply[] = [],
  options: Partial<Parameters<typeof flowStage>[1]> = {},
) => flowStage(join(root, 'flow.db'), { store, replies, ...options });

/** A command of a session, as the pipeline judged it. */
function command(sessionId: string, text: string, fields: Partial<Action['metadata']> = {}): Action {
  return {
    id: `action-${text}`,
    sessionId,
    runId: 'r',
    callId: 'c',
    tool: 'bash',
    arguments: { command: text },
    canonical: '',
    hash: '',
    time: '',
    metadata: {
      workingFolder: folder,
      paths: [],
      command: text,
      group: 'shell',
      effect: 'once',
      ...fields,
    },
  };
}

/** A session that has read something foreign. */
async function foreignSession(stage: ReturnType<typeof flowStage>): Promise<string> {
  const session = stage.sessions.create(folder);
  await stage.say(session, 'Look at it.');
  expect(stage.flows.labelOf(session).trust).toBe('external');
  return session;
}

const FOREIGN_READ: Reply = { calls: [read(FOREIGN)] };

describe('a call that failed', () => {
  it('may have written all the same, and took no label away [F2]', async () => {
    const replies = [
      FOREIGN_READ,
      { calls: [write('torn.md', ORDER)] },
      { text: 'failed' },
      { calls: [write('kept.md', 'plain words')] },
    ];
    const act = ({ tool }: { readonly tool: string }) => ({ text: ORDER, isError: tool === 'write' });
    using stage = life(createMemorySessionStore(), replies, { act });
    await foreignSession(stage);
    expect(stage.labels.files.get(at('torn.md'))).toEqual(LABEL);
    stage.labels.files.set(at('kept.md'), LABEL);
    const clean = stage.sessions.create(folder);
    await stage.say(clean, 'Write plain words to kept.md.');
    expect(stage.labels.files.get(at('kept.md'))).toEqual(LABEL);
  });
});

describe('a command', () => {
  it('passes on what it reads itself to what it writes, before anybody has seen its output [F2] [FT55]', () => {
    using stage = life(createMemorySessionStore());
    const session = stage.sessions.create(folder);
    stage.flows.wrote(command(session, 'touch plain.md'), [at('plain.md')]);
    stage.flows.wrote(command(session, `cp ${FOREIGN} copy.md`), [at('copy.md')]);
    stage.flows.wrote(command(session, 'cp ../secrets.txt own.md'), [at('own.md')]);
    expect(stage.labels.files.get(at('copy.md'))?.trust).toBe('external');
    expect(stage.labels.files.get(at('own.md'))?.secrecy).toBe('restricted');
    expect(stage.labels.files.get(at('plain.md'))).toBeUndefined();
  });

  it.each(['.env', '.env.local', 'a/.npmrc', '.pypirc', '.pgpass', '.my.cnf'])(
    'that may read %s writes what is restricted, whatever the rules say [F2]',
    (name) => {
      const policy = { ...shippedFlow(), sources: [] };
      using stage = life(createMemorySessionStore(), [], { policy: () => policy });
      const session = stage.sessions.create(folder);
      stage.flows.wrote(command(session, 'make'), [at('plain')]);
      stage.flows.wrote(command(session, 'make', { secretFiles: [name] }), [at('out')]);
      const { files } = stage.labels;
      expect([files.get(at('out'))?.secrecy, files.get(at('plain'))]).toEqual(['restricted', undefined]);
    },
  );

  it('takes labels with what it deletes, and a roll-back brings them back, and may itself be taken back [F2] [U2]', () => {
    using stage = life(createMemorySessionStore());
    const session = stage.sessions.create(folder);
    const { files } = stage.labels;
    files.set(at('old/a.md'), LABEL);
    const rename = command(session, 'mv old new');
    stage.flows.wrote(rename, [at('new'), at('new/a.md')]);
    stage.flows.deleted(rename, [at('old'), at('old/a.md')]);
    expect(files.entries(at('old'))).toEqual([]);
    expect(files.get(at('new/a.md'))).toMatchObject(LABEL);
    const paths = [at('old/a.md'), at('new/a.md'), at('new')];
    stage.flows.restoring('back', [rename.id], paths);
    expect(files.get(at('old/a.md'))).toEqual(LABEL);
    expect(files.get(at('new/a.md'))?.trust).toBe('external');
    stage.flows.restored('back', [rename.id], paths);
    expect(files.entries(folder)).toEqual([[at('old/a.md'), LABEL]]);
    stage.flows.restored('again', ['back'], paths);
    expect(files.entries(at('old'))).toEqual([]);
    expect(files.get(at('new/a.md'))?.trust).toBe('external');
    stage.flows.keepOnly(new Set());
    stage.flows.restored('late', [rename.id], paths);
    expect(files.entries(at('old'))).toEqual([]);
  });
});

describe('a command that writes its folder itself', () => {
  it('labels what has changed since it began, and nothing else [F2] [FT55]', async () => {
    using stage = life(createMemorySessionStore(), [FOREIGN_READ]);
    const session = await foreignSession(stage);
    mkdirSync(at('sub'));
    writeFileSync(at('sub/before.md'), 'x');
    writeFileSync(at('moved.md'), 'x');
    await delay(1_200);
    const live = command(session, 'make');
    stage.flows.liveBegun(live);
    writeFileSync(at('sub/after.md'), 'x');
    renameSync(at('moved.md'), at('elsewhere.md'));
    await stage.flows.liveEnded(live.id);
    const { files } = stage.labels;
    expect(files.entries(folder).map(([key]) => key)).toEqual([at('elsewhere.md'), at('sub/after.md')]);
  });

  it('makes all in its folder foreign as long as it lives, and when its session reads more meanwhile [F2]', async () => {
    const look: readonly Reply[] = [{ calls: [read('any.md')] }, { text: 'read' }];
    const replies = [{ text: 'begun' }, ...look, FOREIGN_READ, { text: 'read' }, ...look, ...look];
    using stage = life(createMemorySessionStore(), replies);
    const session = stage.sessions.create(folder);
    await stage.say(session, 'Start the server.');
    const server = command(session, 'serve', { background: true });
    stage.flows.liveBegun(server);
    const trustOfReader = async () => {
      const reader = stage.sessions.create(folder);
      await stage.say(reader, 'What does any.md say?');
      return stage.flows.labelOf(reader).trust;
    };
    expect(await trustOfReader()).toBe('workspace');
    await stage.say(session, 'Look at it.');
    expect(await trustOfReader()).toBe('external');
    writeFileSync(at('built.js'), 'x');
    await stage.flows.liveEnded(server.id);
    expect(await trustOfReader()).toBe('workspace');
    expect(stage.labels.files.get(at('built.js'))?.trust).toBe('external');
  });

  it('that a crash cut off is looked after at the next start [F2]', async () => {
    const store = createMemorySessionStore();
    {
      using one = life(store, [FOREIGN_READ]);
      one.flows.liveBegun(command(await foreignSession(one), 'make'));
      writeFileSync(at('half.md'), 'x');
    }
    using two = life(store);
    expect(two.live()).toMatchObject({ trust: 'external' });
    expect(await two.flows.endLive()).toEqual([]);
    expect(two.live()).toBeUndefined();
    expect(two.labels.files.get(at('half.md'))?.trust).toBe('external');
  });

  it('counts as the writer of all if a labelled file was moved with its folder to an unknown place [FT55]', async () => {
    using stage = life(createMemorySessionStore(), [FOREIGN_READ]);
    const session = await foreignSession(stage);
    mkdirSync(at('old'));
    writeFileSync(at('old/a.md'), 'x');
    stage.labels.files.set(at('old/a.md'), LABEL);
    await delay(1_200);
    const live = command(session, 'mv old new/old');
    stage.flows.liveBegun(live);
    mkdirSync(at('new'));
    renameSync(at('old'), at('new/old'));
    writeFileSync(at('new/old/b.md'), 'x');
    await stage.flows.liveEnded(live.id);
    expect(stage.labels.files.get(at('new/old/a.md'))?.trust).toBe('external');
  });
});
