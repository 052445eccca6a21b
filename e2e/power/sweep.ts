import { createHash } from 'node:crypto';
import { SeededRandom } from '@bulkhead/testkit/simulation';
import { crashState, SHAPES, type Shape } from './crash-state.ts';
import { DiskModel } from './disk-model.ts';
import { isData } from './operation.ts';
import type { PowerRecord } from './power-record.ts';

/** Where in a record power is lost, and what that leaves. The same place is the same state again. */
export interface CrashPlace {
  /** So many operations had ended. */
  readonly cut: number;
  readonly shape: Shape;
  readonly seed: number;
}

/** Not read by anything that starts: lines for people, and what lies in memory only. */
const MEANINGLESS = /(^|\/)logs\/|-shm$/;

export function placeName({ cut, shape, seed }: CrashPlace): string {
  return shape === 'sampled' ? `${cut}:${shape}:${seed}` : `${cut}:${shape}`;
}

export function diskAt({ operations, durability }: PowerRecord, { cut, shape, seed }: CrashPlace): DiskModel {
  return DiskModel.after(crashState(operations, durability, cut, shape, new SeededRandom(seed)));
}

/** The recorder begins with what was there before, which is on the disk. */
function firstCut({ operations }: PowerRecord): number {
  return operations.findIndex(({ kind }) => kind === 'flush-all') + 1;
}

/** Every place of a record, each shape after every operation, with so many samples. */
export function* everyPlace(record: PowerRecord, samples: number): Generator<CrashPlace> {
  const { operations } = record;
  for (let cut = firstCut(record); cut <= operations.length; cut += 1) {
    for (const shape of SHAPES) {
      const count = shape === 'sampled' ? samples : 1;
      for (let seed = 1; seed <= count; seed += 1) yield { cut, shape, seed };
    }
  }
}

/** Places by chance, without end: more often after changes of names and flushes than among the many writes. */
export function* somePlaces(record: PowerRecord, seed: number): Generator<CrashPlace> {
  const { operations } = record;
  const random = new SeededRandom(seed);
  const first = firstCut(record);
  const cuts = operations.map((_, index) => index + 1).filter((cut) => cut >= first);
  const between = cuts.filter((cut) => {
    const last = operations[cut - 1];
    return last !== undefined && !isData(last);
  });
  for (;;) {
    const cut = random.pick(random.chance(0.75) ? between : cuts);
    const shape = random.weighted<Shape>({ all: 1, flushed: 3, names: 3, sampled: 3 });
    yield { cut, shape, seed: random.between(1, 1_000_000) };
  }
}

/**
 * The different disks at the given places. Of places with the same disk the last one is used:
 * nothing was taken back, so clients had received the most there.
 */
export function distinctDisks(record: PowerRecord, places: Iterable<CrashPlace>): readonly CrashPlace[] {
  const byContent = new Map<string, CrashPlace>();
  for (const place of places) {
    const key = contentOf(diskAt(record, place));
    const known = byContent.get(key);
    if (known === undefined || known.cut <= place.cut) byContent.set(key, place);
  }
  return [...byContent.values()];
}

function contentOf(model: DiskModel): string {
  const hash = createHash('sha256');
  for (const { path, object } of model.placed()) {
    if (MEANINGLESS.test(path)) continue;
    hash.update(`${path}\0${object.id} ${object.mode} ${object.bytes.length}\0`);
    hash.update(object.bytes);
  }
  return hash.digest('base64');
}
