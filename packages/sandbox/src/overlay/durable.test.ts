import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BoxFixture, boxFixture } from '../testing/box-fixture.ts';
import { recoverOverlay, runOnOverlay, VIEWS } from '../testing/overlay-run.ts';

let fixture: BoxFixture;
beforeAll(async () => {
  fixture = await boxFixture();
});
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
});

const hasStrace = spawnSync('strace', ['-V']).status === 0;
const CALLS = 'fsync,syncfs,renameat2,pwrite64,write,fchmod,unlinkat';
const STRACE = ['strace', '-qq', '-y', '-e', `trace=${CALLS}`];

/** A line of the trace, and its name below. */
const DEEDS: readonly (readonly [RegExp, (...groups: string[]) => string])[] = [
  [/^fsync\(\d+<([^>]+)>\) += 0/, (path) => `sync ${path}`],
  [/^syncfs\(\d+<([^>]+)>\) += 0/, (path) => `flush ${path}`],
  [
    /^renameat2\(\d+<([^>]+)>, "([^"]+)", \d+<([^>]+)>, "([^"]+)".* = 0/,
    (from, name, to, as) => `move ${from}/${name} ${to}/${as}`,
  ],
  [/^fchmod\(\d+<([^>]+)>, \d+\) += 0/, (path) => `set ${path}`],
  [/^pwrite64\(\d+<[^>]+\/journal>, "\\([12])/, (mark) => (mark === '2' ? 'mark' : 'unmark')],
  [/^unlinkat\(\d+<[^>]+>, "journal", 0\) += 0/, () => 'forget'],
  [/^write\([13]<[^>]*>, "(committed|dropped|failed|stuck)/, (word) => `say ${word}`],
];

/**
 * The launcher's disk operations, in order: `sync PATH`, `move FROM TO`, `mark`, `forget` the
 * journal, `say WORD`.
 */
function deedsOf(log: string, from: string): string[] {
  const lines = readFileSync(log, 'utf8').split('\n');
  const deeds = lines.flatMap((line) =>
    DEEDS.flatMap(([pattern, describe]) => {
      const found = pattern.exec(line);
      return found === null ? [] : [describe(...found.slice(1))];
    }),
  );
  return deeds.map((deed) => deed.replaceAll(from, ''));
}

function fill(top: string): void {
  mkdirSync(`${top}/w/d`, { recursive: true });
  for (const file of ['f', 'g', 'h', 'old']) writeFileSync(`${top}/w/${file}`, file);
}

/** Runs a command, commits its changes, and returns the commit's disk operations. */
async function commitOf(name: string, command: string, options: readonly string[]): Promise<string[]> {
  const top = `${fixture.folder}/${name}`;
  const log = `${top}/log`;
  fill(top);
  const end = await runOnOverlay({
    launcherPath: fixture.launcherPath,
    work: `${top}/w`,
    scratch: `${top}/s`,
    command,
    options,
    verdict: 'commit',
    through: [...STRACE, '-o', log],
  });
  expect(end.answer, end.stderr).toBe('committed');
  const deeds = deedsOf(log, top);
  rmSync(top, { recursive: true });
  // Making the scratch folder, and a copy, sets modes and moves as well.
  const begin = deeds.findIndex((deed) => deed.startsWith('sync ') || deed.startsWith('flush '));
  return begin === -1 ? deeds : deeds.slice(begin);
}

describe.skipIf(!hasStrace).each(VIEWS)('a commit from %s, by its system calls', (_view, options) => {
  const before = (deeds: readonly string[], first: string, then: string): void => {
    expect(deeds, first).toContain(first);
    expect(deeds, then).toContain(then);
    expect(deeds.lastIndexOf(first), `${first} before ${then}`).toBeLessThan(deeds.indexOf(then));
  };

  it('brings content, then the plan, then the names, then the mark to the disk, and speaks last [B2]', async () => {
    const command =
      'echo c > f; mkdir -p n/m; echo c > n/m/x; rm g; chmod 600 h; rm old; mkdir old; echo c > old/y';
    const deeds = await commitOf('each', command, options);
    const moves = ['move /s/upper/f /w/f', 'move /s/upper/n /w/n', 'move /s/upper/old /w/old'];
    // Contents and their folders, before the first name refers to them.
    for (const path of [
      '/s/upper/f',
      '/s/upper/n',
      '/s/upper/n/m',
      '/s/upper/n/m/x',
      '/s/upper/old',
      '/s/upper/old/y',
    ])
      for (const move of moves) before(deeds, `sync ${path}`, move);
    // The plan: its content, its name, the folder of its name.
    before(deeds, 'sync /s/journal.new', 'move /s/journal.new /s/journal');
    before(deeds, 'move /s/journal.new /s/journal', 'sync /s');
    const parked = deeds.find((deed) => deed.startsWith('move /w/g /s/parked/')) ?? '';
    for (const step of [...moves, parked, 'set /w/h']) {
      before(deeds, 'sync /s', step);
      expect(deeds.lastIndexOf('sync /w'), step).toBeGreaterThan(deeds.indexOf(step));
      before(deeds, step, 'mark');
    }
    expect(deeds.indexOf('sync /w/h')).toBeGreaterThan(deeds.indexOf('set /w/h'));
    before(deeds, 'sync /w/h', 'mark');
    before(deeds, 'sync /w', 'mark');
    before(deeds, 'mark', 'sync /s/journal');
    before(deeds, 'sync /s/journal', 'say committed');
    expect(deeds.filter((deed) => deed.includes('outcome'))).toEqual([]);
  });

  it('brings the name of a new link to the disk before it moves [B2]', async () => {
    const deeds = await commitOf('link', 'ln -s ../f d/l', options);
    before(deeds, 'sync /s/upper/d', 'move /s/upper/d/l /w/d/l');
  });

  /** The launcher's outcome when `inject` happens to it, and then recovery's, if needed. */
  const faulty = async (name: string, inject: string, verdict: 'commit' | 'drop') => {
    const top = `${fixture.folder}/${name}`;
    fill(top);
    const common = { launcherPath: fixture.launcherPath, work: `${top}/w`, scratch: `${top}/s` };
    const through = [...STRACE, '-o', `${top}/log`, '-e', `inject=${inject}`];
    const command = 'echo c > f; rm g; echo c > d/n';
    const { answer } = await runOnOverlay({ ...common, command, options, verdict, through });
    const recovery = [...STRACE, '-o', `${top}/recovery`];
    const { said } = await recoverOverlay(common.launcherPath, common.work, common.scratch, recovery);
    const deeds = [deedsOf(`${top}/log`, top), deedsOf(`${top}/recovery`, top)] as const;
    rmSync(top, { recursive: true });
    return { answer, said, commit: deeds[0], recovery: deeds[1] };
  };

  /** Undo, flush, remove the journal, flush: in this order. */
  const expectTakenBack = (deeds: readonly string[], word: string) => {
    const parked = deeds.find((deed) => /^move \/s\/parked\/\d /.test(deed)) ?? '';
    expect(parked).toContain('/w/g');
    // Exchanged names are exchanged again.
    for (const back of ['move /s/upper/f /w/f', 'move /w/d/n /s/upper/d/n', parked]) {
      before(deeds, 'sync /s/journal', back);
      expect(deeds.slice(deeds.indexOf(back)), back).toEqual(
        expect.arrayContaining(['sync /w', 'sync /w/d']),
      );
      before(deeds, back, 'forget');
    }
    for (const flush of ['sync /w', 'sync /w/d']) before(deeds, flush, 'forget');
    const end = deeds.slice(deeds.indexOf('forget'));
    expect(end).toEqual(['forget', 'sync /s', `say ${word}`]);
  };

  it('that can not be marked is unmarked on the disk first, then undone, and reported last [B2] [FT80]', async () => {
    const { answer, commit } = await faulty('unmarked', 'pwrite64:error=EIO:when=1', 'commit');
    expect(answer).toBe('failed 5 .');
    before(commit, 'mark', 'unmark');
    before(commit, 'unmark', 'sync /s/journal');
    expectTakenBack(commit.slice(commit.indexOf('unmark')), 'failed');
  });

  it('that was cut off before its mark is taken back on the disk before recovery says so [B2] [T8]', async () => {
    const { said, recovery } = await faulty('cut', 'pwrite64:signal=SIGKILL:when=1', 'commit');
    expect(said).toBe('dropped');
    before(recovery, 'unmark', 'sync /s/journal');
    expectTakenBack(recovery, 'dropped');
  });

  it('that was cut off after its mark is flushed once more before recovery says so [B2] [T8]', async () => {
    const { answer, said, recovery } = await faulty('marked', 'unlinkat:signal=SIGKILL:when=1', 'commit');
    expect([answer, said]).toEqual(['committed', 'committed']);
    expect(recovery).toEqual(['mark', 'sync /s/journal', 'say committed']);
  });

  it('that was dropped and cut off is known by no journal, on the disk before recovery says so [B2] [T8]', async () => {
    const { answer, said, recovery } = await faulty('dropped', 'unlinkat:signal=SIGKILL:when=1', 'drop');
    expect([answer, said]).toEqual(['dropped', 'dropped']);
    expect(recovery).toEqual(['sync /s', 'say dropped']);
  });

  it('of much flushes the whole file system at the same places [B2]', async () => {
    const deeds = await commitOf('many', 'for n in $(seq 40); do echo c > n$n; done', options);
    const [first = -1, second = -1, ...more] = deeds.flatMap((deed, at) =>
      deed.startsWith('flush ') ? [at] : [],
    );
    expect(more).toEqual([]);
    expect(first).toBeLessThan(deeds.indexOf('sync /s/journal.new'));
    expect(second).toBeGreaterThan(deeds.lastIndexOf('move /s/upper/n40 /w/n40'));
    expect(second).toBeGreaterThan(deeds.lastIndexOf('move /s/upper/n7 /w/n7'));
    expect(second).toBeLessThan(deeds.indexOf('mark'));
  });

  it('of nothing waits for no disk', async () => {
    const deeds = await commitOf('nothing', 'cat f', options);
    expect(deeds.filter((deed) => /^(sync|flush|mark)/.test(deed))).toEqual([]);
  });
});
