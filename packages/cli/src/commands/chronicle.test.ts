import type { RollBackResponse, SnapshotSummary } from '@bulkhead/protocol/client';
import { describe, expect, it } from 'vitest';
import { dispatch } from '../dispatch.ts';
import { noScript, ScriptedEngine } from '../testing/scripted-engine.ts';
import { testEnvironment } from '../testing/test-environment.ts';
import { testHome } from '../testing/test-home.ts';

/** Sets a terminal's title; as plain text it is harmless. */
const ATTACK = '\x1b]0;owned\x07';
const HARMLESS = '\\x1b]0;owned';

type Snapshot = Omit<SnapshotSummary, '$typeName' | '$unknown'>;
type Report = Partial<
  Omit<RollBackResponse, '$typeName' | '$unknown' | 'restored' | 'conflicts' | 'lasting'>
> & {
  readonly restored?: readonly { path: string; from: string; to: string }[];
  readonly conflicts?: readonly { path: string; reason: string }[];
  readonly lasting?: readonly { id: string; tool: string; reason: string }[];
};
type Difference = { path: string; before: string; after: string; edited: boolean; diff: string };

const SNAPSHOT: Snapshot = {
  id: 'action-1111',
  runId: 'run',
  sessionId: 's',
  tool: 'write',
  about: '',
  time: '2026-01-01T00:00:00Z',
  folder: '/w',
  changed: 1,
  undoneBy: '',
  undoes: [],
  open: false,
  late: false,
  goesNext: false,
};

interface Answers {
  readonly snapshots?: readonly Snapshot[];
  readonly problems?: readonly string[];
  readonly differences?: readonly (Difference | undefined)[];
  readonly report?: Report;
}

async function chronicle(argv: readonly string[], answers: Answers = {}) {
  using home = testHome();
  const engine = new ScriptedEngine(home.layout, noScript);
  const asked: unknown[] = [];
  const { snapshots = [SNAPSHOT], problems = [], differences = [], report = {} } = answers;
  engine.answers = {
    listSnapshots: ({ limit }) => {
      asked.push(['list', limit]);
      return { snapshots: [...snapshots], problems: [...problems] };
    },
    verifyChronicle: () => ({ snapshots: 3, blobs: 5, problems: [...problems] }),
    async *diffSnapshot({ id, turn }) {
      asked.push(['diff', id, turn]);
      for (const difference of differences) yield difference === undefined ? {} : { difference };
    },
    rollBack: ({ id, turn, skipConflicts, dryRun }) => {
      asked.push({ id, turn, skipConflicts, dryRun });
      const { restored = [], conflicts = [], lasting = [], ...rest } = report;
      return {
        id: 'back-1',
        ...rest,
        restored: [...restored],
        conflicts: [...conflicts],
        lasting: [...lasting],
      };
    },
  };
  await engine.listen();
  const environment = testEnvironment(home.layout, { terminal: ['stdout', 'stderr'] });
  const code = await dispatch(['chronicle', ...argv], environment);
  await engine.close();
  // Shown on a machine that is slow to connect.
  const err = environment.err().replace('… starting the engine\n', '');
  return { code, asked, out: environment.out(), err };
}

describe('chronicle list', () => {
  it('says of each change who made it, where, how much, and what became of it [U2]', async () => {
    const { code, out, err, asked } = await chronicle(['list'], {
      snapshots: [
        { ...SNAPSHOT, about: `ls${ATTACK}`, tool: 'bash', changed: 2 },
        { ...SNAPSHOT, id: 'b', undoes: ['x', 'y'], about: 'hidden', folder: `/v${ATTACK}` },
        { ...SNAPSHOT, id: 'c', undoneBy: 'b', open: true, late: true, changed: 0 },
      ],
    });
    expect(out.split('\n')).toEqual([
      `action-1111  2026-01-01T00:00:00Z  bash: ls${HARMLESS}  (2 objects)`,
      '  in /w',
      'b  2026-01-01T00:00:00Z  write  (1 object, undoes 2)',
      `  in /v${HARMLESS}`,
      'c  2026-01-01T00:00:00Z  write  (0 objects, undone by b, still running, found after a restart)',
      '  in /w',
      '',
    ]);
    expect({ code, err, asked }).toEqual({ code: 0, err: '', asked: [['list', 50]] });
    expect((await chronicle(['list'], { snapshots: [] })).out).toBe('no changes yet\n');
  });

  it('names damage, and fails by it', async () => {
    for (const argv of [['list'], ['list', '--json']]) {
      const { code, err } = await chronicle(argv, { problems: [`lost${ATTACK}`] });
      expect({ code, err }).toEqual({ code: 1, err: `lost${HARMLESS}\n` });
    }
  });

  it('gives programs all of it', async () => {
    const { out, code } = await chronicle(['list', '--json']);
    expect([code, JSON.parse(out)]).toEqual([0, [SNAPSHOT]]);
  });

  it.each([
    ['1', 1],
    ['9999', 9_999],
  ])('takes a limit of %s', async (limit, expected) => {
    expect((await chronicle(['list', '--limit', limit])).asked).toEqual([['list', expected]]);
  });

  it.each(['0', '10000', '-1', '1.5', 'all', ''])('refuses a limit of %j', async (limit) => {
    const { code, err, asked } = await chronicle(['list', `--limit=${limit}`]);
    expect([code, asked]).toEqual([2, []]);
    expect(err).toContain(`--limit is a whole number from 1 to 9999, not "${limit}"`);
  });
});

describe('chronicle verify', () => {
  it.each([
    [[], 0, 'damaged', ''],
    [[`torn${ATTACK}`], 1, 'damaged', `torn${HARMLESS}\n`],
  ])('counts what is kept, and what of it is damaged: %j', async (problems, code, word, err) => {
    const text = await chronicle(['verify'], { problems });
    expect(text).toMatchObject({ code, err, out: `3 snapshots, 5 contents: ${problems.length} ${word}\n` });
    const json = await chronicle(['verify', '--json'], { problems });
    expect(json).toMatchObject({ code, err: '' });
    expect(JSON.parse(json.out)).toEqual({ snapshots: 3, contents: 5, problems });
  });
});

describe('chronicle diff', () => {
  const file: Difference = { path: 'a', before: 'file', after: 'file', edited: false, diff: '' };

  it.each([
    [{ ...file, before: 'missing' }, 'a: a file was made\n'],
    [{ ...file, before: 'missing', after: '' }, 'a: a new object was made\n'],
    [{ ...file, after: 'missing' }, 'a: a file was deleted\n'],
    [{ ...file, edited: true }, 'a: a file was changed, changed since\n'],
    [{ ...file, after: '' }, 'a: a file was changed\n'],
    [{ ...file, after: 'folder' }, 'a: a file became a folder\n'],
    [
      { ...file, path: `a${ATTACK}`, diff: `-x\n+${ATTACK}` },
      `a${HARMLESS}: a file was changed\n-x\n+${HARMLESS}\n`,
    ],
  ])('says what became of an object: %j', async (difference, out) => {
    const called = await chronicle(['diff', 'action-1'], { differences: [undefined, difference] });
    expect(called).toMatchObject({ code: 0, out, err: '' });
    expect(called.asked).toContainEqual(['diff', 'action-1111', false]);
  });

  it('says that nothing differs, and gives programs a line for each object', async () => {
    expect(await chronicle(['diff', 'unknown-id', '--turn'])).toMatchObject({
      out: 'no differences\n',
      asked: [
        ['list', 0],
        ['diff', 'unknown-id', true],
      ],
    });
    expect((await chronicle(['diff', 'action-1', '--json'])).out).toBe('');
    const { out } = await chronicle(['diff', 'action-1', '--json'], { differences: [file, file] });
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([file, file]);
  });
});

describe('chronicle rollback', () => {
  const restored = [
    { path: 'b/x', from: 'file', to: 'missing' },
    { path: 'b', from: 'missing', to: 'folder' },
    { path: 'b-1', from: 'file', to: 'file' },
  ];
  const lines = '  + folder b\n  - file b/x\n  ~ file b-1\n';
  const conflicts = [
    { path: 'd', reason: 'was changed' },
    { path: 'c', reason: `is gone${ATTACK}` },
  ];
  const conflictLines = `  ! c is gone${HARMLESS}\n  ! d was changed\n`;

  it('restores by name, folders first, and says how to take it back [U2]', async () => {
    const lasting = [{ id: 'l', tool: 'http_request', reason: 'was sent' }];
    const report = { done: true, restored, lasting, limits: ['times differ'] };
    const called = await chronicle(['rollback', 'action-1'], { report });
    expect(called).toMatchObject({
      code: 0,
      out: `${lines}3 objects restored; \`bulkhead chronicle rollback back-1\` undoes that\n`,
      err: 'not undone: http_request l: was sent\ntimes differ\n',
    });
    expect(called.asked.at(-1)).toEqual({
      id: 'action-1111',
      turn: false,
      skipConflicts: false,
      dryRun: false,
    });
  });

  it.each([
    [restored, `${lines}3 objects would be restored\n`],
    [restored.slice(1, 2), '  + folder b\n1 object would be restored\n'],
    [[], 'nothing to restore: all is as it was\n'],
  ])('tries it without touching anything: %j', async (objects, out) => {
    const report = { restored: objects, limits: ['times differ'] };
    const called = await chronicle(['rollback', 'action-1', '--dry-run', '--turn'], { report });
    expect(called).toMatchObject({ code: 0, out, err: 'times differ\n' });
    expect(called.asked.at(-1)).toMatchObject({ turn: true, dryRun: true });
  });

  it('refuses by a conflict, and says what could be restored', async () => {
    const some = await chronicle(['rollback', 'action-1'], { report: { restored, conflicts } });
    expect(some).toMatchObject({ code: 3, out: '' });
    expect(some.err).toBe(
      `${conflictLines}nothing was restored; --skip-conflicts restores the other 3 and leaves these as they are\n`,
    );
    const none = await chronicle(['rollback', 'action-1'], { report: { conflicts } });
    expect(none.code).toBe(3);
    expect(none.err).toContain('nothing was restored: all of it was changed since');
    const without = await chronicle(['rollback', 'action-1'], { report: { limits: ['times differ'] } });
    expect(without).toMatchObject({ code: 0, out: 'nothing to restore: all is as it was\n', err: '' });
  });

  it('leaves conflicts out when it is asked to', async () => {
    const report = { done: true, restored, conflicts };
    const called = await chronicle(['rollback', 'action-1', '--skip-conflicts'], { report });
    expect(called).toMatchObject({ code: 0, err: conflictLines });
    expect(called.asked.at(-1)).toMatchObject({ skipConflicts: true, dryRun: false });
    const { out, code } = await chronicle(['rollback', 'action-1', '--json'], {
      report: { ...report, done: false, folder: '/w', undoes: ['x'] },
    });
    expect(code).toBe(3);
    expect(JSON.parse(out)).toEqual({
      id: 'back-1',
      undoes: ['x'],
      folder: '/w',
      done: false,
      limits: [],
      restored,
      conflicts,
      lasting: [],
    });
  });
});
