import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Chronicle } from '@bulkhead/chronicle';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Machine } from '../testing/machine.ts';

const DAY = 86_400_000;
const YEAR = 365 * DAY;
const KEPT_DAYS = 30;

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'bulkhead-ages-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A real chronicle on a machine whose clock can be wrong. */
class AgingChronicle {
  readonly machine = new Machine().run(DAY);
  readonly #folder: string;
  readonly #place: string;
  /** When each snapshot was taken, by real time. */
  readonly taken = new Map<string, number>();
  chronicle: Chronicle;

  constructor(name: string) {
    this.#place = join(root, name);
    this.#folder = join(this.#place, 'work');
    mkdirSync(this.#folder, { recursive: true });
    this.chronicle = this.#open();
  }

  async act(): Promise<void> {
    const id = `A${this.taken.size}`;
    const paths = [{ path: Buffer.from('file') }];
    this.taken.set(id, this.machine.passed);
    const about = { run: id, session: 's', tool: 'write', about: '' };
    await this.chronicle.take({ id, ...about, folder: this.#folder, paths });
    writeFileSync(join(this.#folder, 'file'), id);
    await this.chronicle.finish(id);
  }

  /** Like a start of the engine, which removes old snapshots. */
  reopen(): void {
    this.machine.look(true);
    this.chronicle = this.#open();
  }

  #open(): Chronicle {
    return Chronicle.open({
      folder: join(this.#place, 'chronicle'),
      retention: { snapshots: 1_000, days: KEPT_DAYS, maxBytes: 1e12 },
      now: () => this.machine.wall,
      confirmed: () => this.machine.look().state.confirmed,
    });
  }
}

describe('the age of snapshots', () => {
  it('removes none before its time, and each after it, whatever the wall clock does [U2] [FT83]', async () => {
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.record({ kind: fc.constant('act' as const), ms: fc.constant(0) }) },
      {
        weight: 4,
        arbitrary: fc.record({
          kind: fc.constant('jump' as const),
          ms: fc.integer({ min: -30 * YEAR, max: 30 * YEAR }),
        }),
      },
      fc.record({ kind: fc.constant('run' as const), ms: fc.integer({ min: 1, max: 2 * DAY }) }),
      fc.record({ kind: fc.constant('idle' as const), ms: fc.integer({ min: 1, max: 20 * DAY }) }),
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('reopen' as const), ms: fc.constant(0) }) },
    );
    let trials = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        trials += 1;
        const stage = new AgingChronicle(String(trials));
        for (const { kind, ms } of steps) {
          if (kind === 'act') await stage.act();
          else if (kind === 'reopen') stage.reopen();
          else stage.machine[kind](ms);
        }
        stage.reopen();
        const { passed } = stage.machine;
        const young = [...stage.taken].filter(([, at]) => passed - at <= KEPT_DAYS * DAY).map(([id]) => id);
        expect(stage.chronicle.list().map(({ id }) => id)).toEqual(young.toReversed());
        stage.machine.idle(KEPT_DAYS * DAY).run(1_000);
        stage.reopen();
        expect(stage.chronicle.list()).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  it('keeps what there is when the machine was off for 60 days, until that is confirmed [U2]', async () => {
    const stage = new AgingChronicle('off');
    await stage.act();
    stage.machine.off(60 * DAY);
    stage.reopen();
    expect(stage.chronicle.list()).toHaveLength(1);
    stage.machine.run(DAY + 3_600_000);
    stage.reopen();
    expect(stage.chronicle.list()).toEqual([]);
  });
});
