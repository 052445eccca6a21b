import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ChronicleStage } from './testing/chronicle-stage.ts';
import { verifyChronicle } from './verify.ts';

const DAY = 86_400_000;

let stage: ChronicleStage;

beforeEach(() => {
  stage = new ChronicleStage({ retention: { snapshots: 3, days: 30, maxBytes: 1e12 } });
});

afterEach(() => stage[Symbol.dispose]());

const put = (name: string, text: string | Buffer) => writeFileSync(stage.path(name), text);
const kept = () =>
  readdirSync(join(stage.options.folder, 'blobs'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.includes('/'),
  );

/** Rewrites a snapshot in the format of engines before confirmed time. */
function asVersion1(id: string): void {
  const path = join(stage.options.folder, 'snapshots', `${id}.jsonl`);
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -2);
  const [header = '', ...rest] = lines;
  const old = header.replace('"version":3', '"version":1').replace(/"confirmed":\d+,/, '');
  const text = [old, ...rest].map((line) => `${line}\n`).join('');
  const sha256 = createHash('sha256').update(text).digest('hex');
  writeFileSync(path, `${text}${JSON.stringify({ sha256 })}\n`);
}

describe('a snapshot', () => {
  it('keeps each content once, however many files have it', async () => {
    for (const name of ['a', 'b', 'c']) put(name, 'same');
    await stage.take(['a', 'b', 'c']);
    expect(kept()).toHaveLength(1);
    await stage.take(['a']);
    expect(kept()).toHaveLength(1);
  });

  it('goes when nothing was changed, with what only it needed', async () => {
    put('a', 'x');
    await stage.act(['a', 'new/b'], () => {});
    expect(stage.chronicle.list()).toEqual([]);
    expect(kept()).toEqual([]);
  });

  it('is none if something can not be kept [U2]', async () => {
    put('a', 'x');
    mkdirSync(join(stage.options.folder, 'snapshots', 'A000001.jsonl.new'));
    await expect(stage.take(['a'])).rejects.toThrow();
    expect(stage.chronicle.list()).toEqual([]);
    expect(kept()).toEqual([]);
  });

  it('names the folders that will be made, and none that exist', async () => {
    mkdirSync(stage.path('there'));
    const id = await stage.take(['there/new/deep/a']);
    const states = stage.chronicle.read(id).changes.map(({ path, before }) => [path, before.kind]);
    expect(states.toSorted()).toEqual([
      ['there', 'folder'],
      ['there/new', 'missing'],
      ['there/new/deep', 'missing'],
      ['there/new/deep/a', 'missing'],
    ]);
  });

  it('reads a file with holes in bounded memory and keeps the holes [FT89]', async () => {
    const size = Number(process.env['CHRONICLE_HOLE_BYTES'] ?? 256 * 1024 * 1024);
    put('big', 'head');
    truncateSync(stage.path('big'), size);
    const before = process.memoryUsage.rss();
    const id = await stage.act(['big'], () => rmSync(stage.path('big')));
    await stage.rollBack([id]);
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * 1024 * 1024);
    const blocks = Number(execFileSync('stat', ['-c', '%b', stage.path('big')]).toString());
    expect(blocks * 512).toBeLessThan(1024 * 1024);
    expect(readFileSync(stage.path('big')).subarray(0, 4).toString()).toBe('head');
  }, 360_000);
});

describe('old content', () => {
  it('goes by number, the oldest first, with what only it needed', async () => {
    const ids: string[] = [];
    for (let version = 0; version < 5; version += 1) {
      put('a', `version ${version}`);
      ids.push(await stage.act(['a'], () => put('a', `edited ${version}`), `run ${version}`));
    }
    expect(stage.chronicle.list().map(({ id }) => id)).toEqual(ids.slice(2).toReversed());
    expect(kept()).toHaveLength(3);
    stage.reopen();
    expect(kept()).toHaveLength(3);
    expect(await verifyChronicle(stage.chronicle)).toEqual({ snapshots: 3, blobs: 3, problems: [] });
  });

  it('goes by age, also while nothing is changed', async () => {
    put('a', 'one');
    await stage.act(['a'], () => put('a', 'two'));
    stage.confirmed += 29 * DAY;
    stage.reopen();
    expect(stage.chronicle.list()).toHaveLength(1);
    stage.confirmed += 2 * DAY;
    stage.reopen();
    expect(stage.chronicle.list()).toEqual([]);
    expect(kept()).toEqual([]);
  });

  it.each([400 * DAY, -400 * DAY, 3_650 * DAY, -1_700_000_000_000])(
    'stays, and can be taken back, when the wall clock is wrong by %d ms [U2] [FT83]',
    async (jump) => {
      put('a', 'one');
      const before = await stage.act(['a'], () => put('a', 'two'), 'before');
      stage.time += jump;
      const then = await stage.act(['a'], () => put('a', 'three'), 'then');
      stage.reopen();
      stage.time -= jump;
      const after = await stage.act(['a'], () => put('a', 'four'), 'after');
      stage.reopen();
      expect(stage.chronicle.list().map(({ id }) => id)).toEqual([after, then, before]);
      await stage.rollBack([after, then, before]);
      expect(readFileSync(stage.path('a'), 'utf8')).toBe('one');
    },
  );

  it('of an engine that knew no confirmed time counts as taken at the first reading', async () => {
    put('a', 'one');
    stage.confirmed = 25 * DAY;
    asVersion1(await stage.act(['a'], () => put('a', 'two')));
    stage.reopen();
    expect(stage.chronicle.list()).toHaveLength(1);
    stage.confirmed = 31 * DAY;
    stage.reopen();
    expect(stage.chronicle.list()).toEqual([]);
  });

  it('stays while its action goes on', async () => {
    put('a', 'one');
    const id = await stage.take(['a']);
    for (let version = 0; version < 5; version += 1) {
      await stage.act(['b'], () => put('b', String(version)), `run ${version}`);
    }
    expect(stage.chronicle.has(id)).toBe(true);
  });
});

describe('the loss of contents', () => {
  const lose = async (run: string, count: number, isAllowed = false): Promise<string> => {
    put(run, 'before');
    const id = stage.id();
    const owner = { id, run, session: 'session', tool: 'bash', about: '', folder: stage.folder };
    const lost = { count, isAllowed };
    await stage.chronicle.take({ ...owner, paths: [{ path: Buffer.from(run) }], lost });
    put(run, `after ${id}`);
    await stage.chronicle.finish(id);
    return id;
  };

  it('adds up over an answer until a person allows some, also after a restart [B2]', async () => {
    await lose('a', 20);
    await lose('a', 5);
    await lose('b', 7);
    stage.reopen();
    expect([stage.chronicle.lostIn('a'), stage.chronicle.lostIn('b')]).toEqual([25, 7]);
    await lose('a', 40, true);
    await lose('a', 3);
    expect(stage.chronicle.lostIn('a')).toBe(3);
  });

  it('of many is not forgotten for small actions, and those that go next are named [U2]', async () => {
    const large = await lose('large', 200);
    const small: string[] = [];
    for (const run of ['a', 'b', 'c', 'd', 'e']) {
      put(run, 'one');
      small.push(await stage.act([run], () => put(run, 'two'), run));
    }
    expect(stage.chronicle.list().map(({ id }) => id)).toEqual([...small.slice(2).reverse(), large]);
    expect([...stage.chronicle.goingNext()]).toEqual([small[2]]);
  });
});

describe('damage', () => {
  it('of a content is found by its hash', async () => {
    put('a', 'one');
    const id = await stage.act(['a'], () => put('a', 'two'));
    const [name = ''] = kept();
    writeFileSync(join(stage.options.folder, 'blobs', name), 'One');
    const { problems } = await verifyChronicle(stage.chronicle);
    expect(problems).toEqual([expect.stringContaining(`snapshot ${id}: the content`)]);
    rmSync(join(stage.options.folder, 'blobs', name));
    expect((await verifyChronicle(stage.chronicle)).problems).toHaveLength(1);
  });

  it.each([
    ['cut', (text: string) => text.slice(0, -20)],
    ['changed', (text: string) => text.replace('"path":"a"', '"path":"b"')],
    ['of a later version', (text: string) => text.replace('"version":3', '"version":4')],
  ])(
    'of a snapshot that was %s is told, keeps what it names, and no rubbish beside it',
    async (_what, damage) => {
      put('a', 'one');
      const id = await stage.act(['a'], () => put('a', 'two'));
      spoil(id, damage);
      leaveRubbish();
      stage.reopen();
      expect([...stage.chronicle.damaged().keys()]).toEqual([id]);
      expect(kept()).toHaveLength(1);
      expect((await verifyChronicle(stage.chronicle)).problems).toHaveLength(1);
      await expect(stage.rollBack([id])).rejects.toMatchObject({ code: 'store_corrupt' });
    },
  );

  it('of a snapshot does not keep it longer than others', async () => {
    put('a', 'one');
    spoil(await stage.act(['a'], () => put('a', 'two')), (text) => text.slice(0, -20));
    stage.confirmed = 100 * DAY;
    stage.reopen();
    stage.confirmed += 29 * DAY;
    stage.time += 400 * DAY;
    stage.reopen();
    expect(kept()).toHaveLength(1);
    stage.confirmed += 2 * DAY;
    stage.reopen();
    expect(kept()).toEqual([]);
    expect(await verifyChronicle(stage.chronicle)).toMatchObject({ problems: [] });
  });

  it('of a snapshot that names nothing any more is reported, too', async () => {
    put('a', 'one');
    spoil(await stage.act(['a'], () => put('a', 'two')), () => '');
    stage.reopen();
    expect(kept()).toEqual([]);
    expect((await verifyChronicle(stage.chronicle)).problems).toHaveLength(1);
  });

  const spoil = (id: string, damage: (text: string) => string) => {
    const path = join(stage.options.folder, 'snapshots', `${id}.jsonl`);
    writeFileSync(path, damage(readFileSync(path, 'utf8')));
  };
  const leaveRubbish = () => {
    const name = 'ab'.repeat(32);
    mkdirSync(join(stage.options.folder, 'blobs', 'ab'), { recursive: true });
    writeFileSync(join(stage.options.folder, 'blobs', 'ab', name), 'x');
  };
});

describe('an action that was cut off', () => {
  const cutOff = async (expected: { kind: 'file'; hash?: string; size?: number }, now: string) => {
    put('a', 'one');
    const id = stage.id();
    const paths = [{ path: Buffer.from('a'), expected }];
    await stage.chronicle.take({
      id,
      run: '',
      session: '',
      tool: '',
      about: '',
      folder: stage.folder,
      paths,
    });
    put('a', now);
    stage.reopen();
    await stage.chronicle.finish(id, true);
    return id;
  };
  const hash = '3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3';

  it('is taken back if it left what it was to leave', async () => {
    const id = await cutOff({ kind: 'file', hash }, 'two');
    expect(await stage.rollBack([id])).toMatchObject({ done: true, conflicts: [] });
    expect(readFileSync(stage.path('a'), 'utf8')).toBe('one');
  });

  it('is forgotten if it left nothing', async () => {
    const id = await cutOff({ kind: 'file', hash }, 'one');
    expect(stage.chronicle.read.bind(stage.chronicle, id)).not.toThrow();
  });

  it.each([
    [{ kind: 'file' as const, hash }, 'own'],
    [{ kind: 'file' as const, size: 4 }, 'own'],
  ])('is a conflict where it may have been somebody else [FT91]', async (expected, now) => {
    const id = await cutOff(expected, now);
    expect(await stage.rollBack([id])).toMatchObject({ done: false, conflicts: [{ path: 'a' }] });
    expect(readFileSync(stage.path('a'), 'utf8')).toBe(now);
  });
});
