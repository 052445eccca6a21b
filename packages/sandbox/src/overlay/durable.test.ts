import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BoxFixture, boxFixture } from '../testing/box-fixture.ts';
import { runOnOverlay, VIEWS } from '../testing/overlay-run.ts';

let fixture: BoxFixture;
beforeAll(async () => {
  fixture = await boxFixture();
});
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
});

const hasStrace = spawnSync('strace', ['-V']).status === 0;
const CALLS = 'fsync,syncfs,renameat2,pwrite64,write,fchmod';

/** What the launcher did to the disk, in order: `sync PATH`, `move FROM TO`, `mark`, `say WORD`. */
function deedsOf(log: string, from: string): string[] {
  const paths = (text: string): string => text.replaceAll(from, '');
  return readFileSync(log, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const sync = /^(?:fsync|syncfs)\(\d+<([^>]+)>\) += 0/.exec(line);
      if (sync !== null) return [`${line.startsWith('syncfs') ? 'flush' : 'sync'} ${paths(sync[1] ?? '')}`];
      const move = /^renameat2\(\d+<([^>]+)>, "([^"]+)", \d+<([^>]+)>, "([^"]+)".* = 0/.exec(line);
      if (move !== null) return [`move ${paths(`${move[1]}/${move[2]} ${move[3]}/${move[4]}`)}`];
      const set = /^fchmod\(\d+<([^>]+)>, \d+\) += 0/.exec(line);
      if (set !== null) return [`set ${paths(set[1] ?? '')}`];
      if (/^pwrite64\(\d+<[^>]+\/journal>/.test(line)) return ['mark'];
      const said = /^write\(3<[^>]*>, "(committed|dropped)/.exec(line);
      return said === null ? [] : [`say ${said[1]}`];
    });
}

/** Runs a command that is kept, and gives what its commit did to the disk. */
async function commitOf(name: string, command: string, options: readonly string[]): Promise<string[]> {
  const top = `${fixture.folder}/${name}`;
  const log = `${top}/log`;
  mkdirSync(`${top}/w`, { recursive: true });
  for (const file of ['f', 'g', 'h', 'old']) writeFileSync(`${top}/w/${file}`, file);
  const end = await runOnOverlay({
    launcherPath: fixture.launcherPath,
    work: `${top}/w`,
    scratch: `${top}/s`,
    command,
    options,
    verdict: 'commit',
    through: ['strace', '-qq', '-y', '-o', log, '-e', `trace=${CALLS}`],
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
    // Contents and the folders they lie in, before the first name leads there.
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
    before(deeds, 'sync /s/journal', 'move /s/outcome.new /s/outcome');
    before(deeds, 'move /s/outcome.new /s/outcome', 'say committed');
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
