import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ListedEntry } from '@bulkhead/audit';
import { openTestChronicle } from '@bulkhead/home/testing';
import { FolderQueue } from '@bulkhead/processes/transactions/folder-queue';
import type { Action, CommandEffects, ObservedChange } from '@bulkhead/protocol';
import { createRedaction } from '@bulkhead/shield';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ChronicleStage } from './chronicle-stage.ts';
import { recoverChronicle } from './recover-chronicle.ts';
import { UndoService } from './undo-service.ts';

const SECRET = 'canary-of-the-stage';

let root = '';
let folder = '';
let opened: ReturnType<typeof openTestChronicle>;
let stage: ChronicleStage;
let recorded: ListedEntry[];
let audited: string[];
let busy = false;
let next = 0;
let failures: unknown[];

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'bulkhead-stage-')));
  folder = join(root, 'work');
  mkdirSync(folder);
  audited = [];
  recorded = [];
  failures = [];
  busy = false;
  reopen();
});

afterEach(() => rmSync(root, { recursive: true }));

function reopen(): void {
  opened = openTestChronicle(join(root, 'chronicle'));
  stage = new ChronicleStage({
    chronicle: opened.chronicle,
    redaction: createRedaction([SECRET]),
    onError: () => {},
    onFailure: (_id, error) => failures.push(error),
  });
}

const put = (name: string, text: string) => writeFileSync(join(folder, name), text);
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

function action(id: string, fields: Partial<Action['metadata']> = {}): Action {
  return {
    id,
    sessionId: 's',
    runId: 'r',
    callId: 'c',
    tool: 'write',
    arguments: {},
    canonical: '',
    hash: '',
    time: '',
    metadata: {
      workingFolder: folder,
      paths: [{ path: join(folder, 'a'), access: 'write' }],
      group: 'files',
      effect: 'idempotent',
      ...fields,
    },
  };
}

function effects(...changes: readonly Partial<ObservedChange>[]): CommandEffects {
  const whole = changes.map((change) => ({
    path: Buffer.from('a'),
    what: 'changed' as const,
    kind: 'file' as const,
    was: 'file' as const,
    mode: 0o644,
    wasMode: 0o644,
    size: 0,
    wasSize: 0,
    links: 1,
    ...change,
  }));
  return { status: 0, changes: whole, problems: [], notes: [] };
}

function service(): UndoService {
  return new UndoService({
    labels: { restoring: () => {}, restored: () => {} },
    ...opened,
    queue: new FolderQueue(),
    entriesOf: async (filter) =>
      recorded.filter(({ action, session }) =>
        'action' in filter ? action === filter.action : session === filter.session,
      ),
    audit: {
      append: async (entries) => {
        audited.push(...entries.map(({ step, tool }) => `${tool} ${step}`));
        return [];
      },
    },
    ids: () => {
      next += 1;
      return `undo-${next}`;
    },
    isOpen: (id) => stage.isOpen(id),
    needIdle: () => {
      if (busy) throw new Error('busy');
    },
  });
}

const undo = (id: string, fields = {}) =>
  service().rollBack(
    { id, turn: false, skipConflicts: false, dryRun: false, ...fields },
    new AbortController().signal,
  );

describe('the snapshot stage', () => {
  it('keeps what a tool names before it runs, and sees what it left [U2]', async () => {
    put('a', 'one');
    await stage.take(action('w'), [{ path: 'a', before: 'x', after: 'y' }]);
    expect(stage.isOpen('w')).toBe(true);
    put('a', 'two');
    await stage.finish(action('w'));
    await stage.finish(action('w'));
    expect(stage.isOpen('w')).toBe(false);
    expect(opened.chronicle.list()).toMatchObject([{ id: 'w', run: 'r', state: 'done', changed: 1 }]);
  });

  it('keeps nothing of what only reads, nor of a command before its effects are known', async () => {
    await stage.take(action('p', { effect: 'pure' }), []);
    await stage.take(action('c', { command: 'ls', effect: 'once' }), []);
    await stage.take(action('n', { paths: [{ path: join(folder, 'a'), access: 'read' }] }), []);
    await stage.takeEffects(action('e', { command: 'ls' }), effects());
    for (const id of ['p', 'c', 'n', 'e']) await stage.finish(action(id));
    expect(opened.chronicle.list()).toEqual([]);
  });

  it('keeps what a command displaces, and that there was nothing [FT90]', async () => {
    put('a', 'one');
    const command = action('c', { command: 'make' });
    await stage.takeEffects(
      command,
      effects({ size: 3 }, { path: Buffer.from('new'), what: 'created', was: 'missing' }),
    );
    put('a', 'two');
    put('new', 'x');
    await stage.finish(command);
    await undo('c');
    expect(read('a')).toBe('one');
    expect(() => read('new')).toThrow('ENOENT');
  });

  it('keeps a command without the secrets in it, also where it is cut [A7]', async () => {
    const kept = async (id: string, text: string) => {
      const command = action(id, { command: text });
      await stage.takeEffects(command, effects({ path: Buffer.from(id), what: 'created', was: 'missing' }));
      put(id, 'x');
      await stage.finish(command);
      return opened.chronicle.list().find((entry) => entry.id === id)?.about;
    };
    expect(await kept('near', `login ${SECRET} > near`)).toBe('login [redacted:secret] > near');
    const cut = await kept('cut', `login ${'x'.repeat(240)} ${SECRET} > cut`);
    expect(cut).toContain('xxx');
    expect(cut).not.toContain('canary');
  });

  it('refuses what lies outside the folder, which it could not put back [U2]', async () => {
    const outside = action('w', { paths: [{ path: join(root, 'a'), access: 'write' }] });
    await expect(stage.take(outside, [])).rejects.toMatchObject({ code: 'blocked' });
    expect(opened.chronicle.list()).toEqual([]);
  });

  it('never rejects at the end: what could not be seen is looked at later', async () => {
    await stage.take(action('w'), []);
    rmSync(folder, { recursive: true });
    await stage.finish(action('w'));
    expect(failures).toHaveLength(1);
    expect(opened.chronicle.list()).toMatchObject([{ id: 'w', state: 'open' }]);
  });
});

describe('taking back', () => {
  const act = async (id: string, text: string, run = 'r') => {
    const one = { ...action(id), runId: run };
    await stage.take(one, []);
    put('a', text);
    await stage.finish(one);
  };

  it('is recorded before it is done, and how it ended [U2]', async () => {
    await act('w', 'two');
    expect(await undo('w')).toMatchObject({ done: true });
    expect(audited).toEqual(['rollback STARTED', 'rollback EXECUTED']);
  });

  it('of a conflict or of nothing is not: nothing is done', async () => {
    await act('w', 'two');
    put('a', 'mine');
    expect(await undo('w')).toMatchObject({ done: false, conflicts: [{ path: 'a' }] });
    expect(await undo('w', { dryRun: true })).toMatchObject({ done: false });
    expect(audited).toEqual([]);
  });

  it('of an answer goes over what was taken back already', async () => {
    put('a', 'one');
    await act('first', 'two');
    await act('second', 'three');
    await act('other', 'four', 'another run');
    await undo('other');
    await undo('second');
    await undo('first', { turn: true });
    expect(read('a')).toBe('one');
    await expect(undo('r', { turn: true })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('says what of the same answer it does not reach, and of an action that only sent something [FG6]', async () => {
    await act('w', 'two');
    const facts = { session: 's', run: 'r', line: '', time: '', n: 1 };
    for (const action of ['w', 'sent'])
      recorded.push(
        { ...facts, action, tool: 'web', step: 'PROPOSED', details: { run: 'r', hosts: ['example.org'] } },
        { ...facts, action, tool: 'web', step: 'STARTED', details: {} },
      );
    const lasting = async (fields: object) =>
      (await undo('w', { dryRun: true, ...fields })).lasting.map(({ id, tool }) => [id, tool]);
    expect(await lasting({})).toEqual([['w', 'web']]);
    expect(await lasting({ turn: true })).toEqual([
      ['w', 'web'],
      ['sent', 'web'],
    ]);
    await expect(undo('sent')).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringMatching(/web sent can not be taken back: it may have reached example.org/),
    });
  });

  it('says what of a file that is put back is not as it was [FG6]', async () => {
    put('a', 'one');
    await act('w', 'two');
    expect((await undo('w', { dryRun: true })).limits).toEqual([
      expect.stringMatching(/^Content, mode and times come back\. What few files have does not: extended/),
    ]);
    rmSync(join(folder, 'a'));
    await act('made', 'new');
    expect((await undo('made')).limits).toEqual([]);
  });

  it('waits for who has the folder, and is refused while the session works', async () => {
    await act('w', 'two');
    busy = true;
    await expect(undo('w')).rejects.toThrow('busy');
    busy = false;
    await stage.take(action('going'), []);
    await expect(undo('going')).rejects.toMatchObject({ code: 'busy' });
    await expect(undo('unknown')).rejects.toMatchObject({ code: 'not_found' });
    await expect(undo('../../etc')).rejects.toMatchObject({ code: 'not_found' });
  });
});

it('an action that a crash cut off is seen at the next start', async () => {
  put('a', 'one');
  const hash = '3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3';
  await stage.take(action('w'), [{ path: 'a', before: 'x', after: hash }]);
  put('a', 'two');
  reopen();
  expect(await recoverChronicle(opened.chronicle, opened.rollbacks)).toEqual([]);
  expect(opened.chronicle.list()).toMatchObject([{ id: 'w', state: 'done', late: true }]);
  await undo('w');
  expect(read('a')).toBe('one');
});
