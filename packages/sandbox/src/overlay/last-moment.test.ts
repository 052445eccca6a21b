import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type BoxFixture, boxFixture } from '../testing/box-fixture.ts';
import { type OverlayEnd, type OverlayRun, runOnOverlay, VIEWS } from '../testing/overlay-run.ts';

let fixture: BoxFixture;
let work: string;
let scratch: string;
let runs = 0;
beforeAll(async () => {
  fixture = await boxFixture();
});
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
});
beforeEach(() => {
  next();
});

function next(): void {
  runs += 1;
  work = `${fixture.folder}/w${runs}`;
  scratch = `${fixture.folder}/s${runs}`;
  mkdirSync(`${work}/d/sub`, { recursive: true });
  for (const name of ['f', 'd/sub/y']) writeFileSync(`${work}/${name}`, 'at first\n');
}

const run = (command: string, changes: Partial<OverlayRun> = {}): Promise<OverlayEnd> =>
  runOnOverlay({ launcherPath: fixture.launcherPath, work, scratch, command, verdict: 'commit', ...changes });

const hasStrace = spawnSync('strace', ['-V']).status === 0;
const strace = (injected: string): string[] => [
  'strace',
  '-qq',
  '-o',
  '/dev/null',
  '-e',
  `inject=${injected}`,
];

describe.each(VIEWS)('on %s, a folder above what a command changed', (_view, options) => {
  it('that becomes a link out of the working folder before the verdict leads nowhere [B2] [FR5]', async () => {
    const outside = `${fixture.folder}/outside${runs}`;
    const end = await run('echo c > d/sub/y; echo n > d/sub/new', {
      options,
      meanwhile: () => {
        renameSync(`${work}/d`, outside);
        symlinkSync(outside, `${work}/d`);
      },
    });
    expect(readFileSync(`${outside}/sub/y`, 'utf8')).toBe('at first\n');
    expect(existsSync(`${outside}/sub/new`)).toBe(false);
    expect(end.answer).toMatch(/^conflict /);
  });
});

describe.skipIf(!hasStrace).each(VIEWS)('a commit from %s', (_view, options) => {
  /**
   * Index of the launcher's rename that is the exchange, after the last check: the one after the
   * journal's.
   */
  async function exchangeOf(command: string): Promise<number> {
    const log = `${fixture.folder}/renamings`;
    await run(command, { options, through: ['strace', '-qq', '-o', log, '-e', 'trace=renameat2'] });
    const renamings = readFileSync(log, 'utf8').match(/^renameat2\(.*$/gm) ?? [];
    const journal = renamings.findIndex((line) => line.includes('"journal"'));
    expect(journal).toBeGreaterThanOrEqual(0);
    next();
    return journal + 2;
  }

  it.each([
    ['replaced', 'echo c > f'],
    ['removed', 'rm f'],
  ])(
    'gives a file back that was saved by renaming between the last look and its being %s [B2]',
    async (_, command) => {
      const exchange = await exchangeOf(command);
      const end = await run(command, {
        options,
        through: strace(`renameat2:delay_enter=600000:when=${exchange}`),
        meanwhile: () => {
          setTimeout(() => {
            writeFileSync(`${work}/f.new`, 'saved\n');
            renameSync(`${work}/f.new`, `${work}/f`);
          }, 300);
        },
      });
      expect(readFileSync(`${work}/f`, 'utf8')).toBe('saved\n');
      expect(end.answer).toBe('conflict changed-meanwhile f');
    },
  );

  it('displaces nothing once the wall clock was set meanwhile [B2]', async () => {
    const log = `${fixture.folder}/reads`;
    await run(':', { options, through: ['strace', '-qq', '-o', log, '-e', 'trace=read'] });
    const reads = readFileSync(log, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('read('));
    const clock = reads.findIndex((line) => /, 8\) += -1 EAGAIN/.test(line)) + 1;
    expect(clock).toBeGreaterThan(0);
    next();
    const end = await run('echo c > f', { options, through: strace(`read:error=ECANCELED:when=${clock}`) });
    expect(end.records).toContain('problem changed-meanwhile f');
    expect(readFileSync(`${work}/f`, 'utf8')).toBe('at first\n');
  });
});
