import { spawnSync } from 'node:child_process';
import { closeSync, fsyncSync, mkdirSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { CutDisk } from '@bulkhead/testkit/disk';
import { shareOf, sweepOf } from '@bulkhead/testkit/sweep';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BoxFixture, boxFixture } from '../testing/box-fixture.ts';
import { folderState } from '../testing/folder-state.ts';
import { type OverlayEnd, recoverOverlay, runOnOverlay, VIEWS } from '../testing/overlay-run.ts';

/** `POWER_CUTS=n`: cuts for each view, mount option and moment. */
const CUTS = Number(process.env['POWER_CUTS'] ?? sweepOf(1, 25));
const COMMAND =
  'echo c >> f; rm g; mkdir -p n/m; echo 1 > n/m/y; rm -r d; mkdir d; echo new > d/z; chmod 600 h; ln -s f e/m; rm -r gone';
/**
 * Mount options of ext4, with the interval at which its journal is written, in seconds: contents
 * may follow their names much later.
 */
const DISKS = [
  { options: '', seconds: 5 },
  { options: 'commit=1', seconds: 1 },
  { options: 'commit=300', seconds: 300 },
  { options: 'data=writeback', seconds: 5 },
];
/** Longest wait before a cut if only the file system's timer writes its journal. */
const PATIENCE_MS = 2_500;
const NOTHING_PROVED =
  'needs root, loop mounts, mkfs.ext4 and a C compiler to cut the power of a disk: nothing is proved about power cuts';

let fixture: BoxFixture;
beforeAll(async () => {
  fixture = await boxFixture();
});
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
});

function flush(path: string): void {
  const fd = openSync(path, 'r');
  fsyncSync(fd);
  closeSync(fd);
}

/** A command on a disk whose power is cut, and the invariants afterwards. */
class Ground {
  readonly #disk: CutDisk;
  readonly #places: { readonly work: string; readonly scratch: string; readonly options: readonly string[] };
  readonly #states = { before: '', after: '' };
  readonly seen = { committed: 0, dropped: 0, said: 0 };
  /** From the permission to commit to the end of the launcher. */
  #tookMs = 0;

  private constructor(disk: CutDisk, options: readonly string[]) {
    this.#disk = disk;
    this.#places = { work: `${disk.folder}/w`, scratch: `${disk.folder}/s`, options };
  }

  static async open(disk: CutDisk, options: readonly string[]): Promise<Ground> {
    const ground = new Ground(disk, options);
    let begun = 0;
    const model = await ground.run(() => {
      ground.#states.before = folderState(ground.#places.work);
      begun = performance.now();
    });
    ground.#tookMs = performance.now() - begun;
    expect(model.answer, model.stderr).toBe('committed');
    ground.#states.after = folderState(ground.#places.work);
    return ground;
  }

  /**
   * Stores the folder's initial state on disk, then runs the command.
   *
   * @param asked called just before the launcher may commit
   * @param through starts the launcher
   */
  run(asked: () => void, through: readonly string[] = []): Promise<OverlayEnd> {
    const { work, scratch } = this.#places;
    for (const folder of [work, scratch]) rmSync(folder, { recursive: true, force: true });
    for (const folder of ['d/sub', 'e', 'gone/deep']) mkdirSync(`${work}/${folder}`, { recursive: true });
    for (const name of ['f', 'g', 'h', 'd/x', 'd/sub/y', 'gone/deep/z']) {
      writeFileSync(`${work}/${name}`, name);
      flush(`${work}/${name}`);
    }
    return runOnOverlay({
      ...this.#places,
      launcherPath: fixture.launcherPath,
      command: COMMAND,
      through,
      verdict: 'commit',
      meanwhile: () => {
        // The engine does the same first: otherwise the journal could not be found.
        flush(this.#disk.folder);
        asked();
      },
    });
  }

  /** @param part of the time that a commit takes; 0: before it starts */
  async cutWithin(part: number): Promise<OverlayEnd> {
    if (part === 0) return await this.run(() => this.#disk.cut());
    const cut = await this.#disk.armed(Math.round(part * this.#tookMs * 1_000));
    const end = await this.run(() => cut.begin());
    await cut.done();
    return end;
  }

  async check(end: OverlayEnd, what: string): Promise<void> {
    const known = await this.recovered();
    expect(known.state, `${what}: said ${end.answer}, recovery ${known.said}`).toBe(
      known.said === 'committed' ? this.#states.after : this.#states.before,
    );
    if (end.answer === 'committed') expect(known.said, what).toBe('committed');
    if (/^(dropped|conflict|failed)/.test(end.answer ?? ''))
      expect(known.said, `${what}: ${end.answer}`).toBe('dropped');
    // Recovery's result is durable as well.
    this.#disk.cut();
    expect(await this.recovered(), `${what}, and once more after recovery`).toEqual(known);
    this.seen[known.said === 'committed' ? 'committed' : 'dropped'] += 1;
    if (end.answer === 'committed') this.seen.said += 1;
  }

  get before(): string {
    return this.#states.before;
  }

  /** After power returns: recovery's result, and the folder. */
  async recovered() {
    this.#disk.restore();
    const { work, scratch } = this.#places;
    const { code, said } = await recoverOverlay(fixture.launcherPath, work, scratch);
    expect(code, said).toBe(0);
    return { said, state: folderState(work) };
  }
}

/** Ways to cut the power after the launcher has reported its outcome. */
const AFTERWARDS: readonly ((disk: CutDisk, seconds: number, part: number) => Promise<void>)[] = [
  async () => {},
  // Another process' flush stores all names, but no contents: so does the engine's own log.
  async (disk) => {
    writeFileSync(`${disk.folder}/other`, 'x');
    flush(`${disk.folder}/other`);
  },
  async (_disk, seconds, part) => {
    if (seconds * 1_000 < PATIENCE_MS) await sleep(PATIENCE_MS * part);
  },
];

const hasStrace = spawnSync('strace', ['-V']).status === 0;

describe.each(VIEWS)('the commit of a command on %s', (_view, options) => {
  it.for(shareOf(DISKS, 2))(
    'is what was said of it after a power cut, on ext4 with "$options" [T8] [FG4]',
    {
      timeout: 240_000 + CUTS * 40_000,
    },
    async ({ options: mounted, seconds }, { skip, annotate }) => {
      using disk = CutDisk.open(mounted);
      if (disk === undefined) return skip(NOTHING_PROVED);
      const ground = await Ground.open(disk, options);
      for (let index = 0; index < CUTS; index++) {
        const part = index / CUTS;
        await ground.check(await ground.cutWithin(part), `cut at ${part.toFixed(3)} of the commit`);
        for (const [way, passes] of AFTERWARDS.entries()) {
          const settled = await ground.run(() => {});
          expect(settled.answer, settled.stderr).toBe('committed');
          await passes(disk, seconds, part);
          disk.cut();
          await ground.check(settled, `cut after it was said, way ${way}, part ${part.toFixed(3)}`);
        }
      }
      const { seen } = ground;
      expect(seen.said).toBeGreaterThanOrEqual(CUTS * AFTERWARDS.length);
      expect(seen.dropped).toBeGreaterThan(0);
      await annotate(`power cuts: ${JSON.stringify(seen)}`);
    },
  );

  it('is taken back also on a disk that comes back under another number [T8]', async ({ skip }) => {
    using disk = hasStrace ? CutDisk.open('') : undefined;
    if (disk === undefined) return skip(`${NOTHING_PROVED}; strace stops the launcher just before its mark`);
    const ground = await Ground.open(disk, options);
    const number = statSync(disk.folder).dev;
    const through = ['strace', '-qq', '-o', '/dev/null', '-e', 'inject=pwrite64:signal=SIGKILL:when=1'];
    const end = await ground.run(() => {}, through);
    expect(end.mark).toBe('planned');
    disk.cut();
    expect(await ground.recovered()).toEqual({ said: 'dropped', state: ground.before });
    expect(statSync(disk.folder).dev).not.toBe(number);
  });
});
