/*
 * Loses power again and again and prints one line of JSON for each loss. In a mount name space of its own: else boxes of other
 * engines on this machine would hold its disk after it was unmounted.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SeededRandom } from '@bulkhead/testkit/simulation';
import { Ext4Disk } from './ext4-disk.ts';
import type { PowerPlan } from './lose-power.ts';
import { buildCutter, powerCut } from './power-cut.ts';
import { PowerHome } from './power-home.ts';
import { type PowerRecord, powerRecord, toldBefore } from './power-record.ts';
import { buildRecorder } from './recorder.ts';
import { type Replayed, replay, replayFirstStart } from './replay.ts';
import { selfCheckProblems } from './self-check.ts';
import { type CrashPlace, diskAt, distinctDisks, everyPlace, placeName, somePlaces } from './sweep.ts';
import { unflushedActions } from './unflushed-actions.ts';
import { Workload } from './workload.ts';

const MESSAGES = [['bash write', 'edit bash'], ['bash', 'write'], ['bash']];
/** Many commands one after the other: a commit and its report are only some milliseconds apart. */
const MANY = [
  ['bash', 'bash write', 'bash', 'edit bash', 'bash', 'bash'],
  ['bash', 'bash', 'bash'],
  ['bash', 'bash', 'bash'],
];
/** So long a run takes on a quiet machine. */
const CUT_WITHIN_MS = 5_000;

const plan: PowerPlan = JSON.parse(process.argv[2] ?? '');
const top = mkdtempSync(join(tmpdir(), 'bulkhead-power-'));
const started = performance.now();

function say(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/**
 * False once the parent process has gone: the work is then ended in order, so that no disk and no
 * engine is left.
 */
let isWanted = true;
process.stdin.once('end', () => {
  isWanted = false;
});
process.stdin.resume();
process.stdout.on('error', () => {
  isWanted = false;
});

function isOver(done: number): boolean {
  if (!isWanted) return true;
  return done >= plan.atLeast && performance.now() - started > plan.maxSeconds * 1_000;
}

function* first(places: Iterable<CrashPlace>, count: number): Generator<CrashPlace> {
  let left = count;
  for (const place of places) {
    if (left === 0) return;
    left -= 1;
    yield place;
  }
}

async function judged(
  record: PowerRecord,
  home: PowerHome,
  place: CrashPlace,
  workload: Workload | undefined,
  withUndo: boolean,
): Promise<Replayed> {
  if (workload === undefined)
    return { violations: await replayFirstStart(home, record.policies), retold: [] };
  const told = toldBefore(record, place.cut);
  return await replay(home, { workload, session: record.session, told, withUndo });
}

async function selfCheck(disk: Ext4Disk): Promise<void> {
  const violations = await selfCheckProblems(disk, recorderIn(top), top);
  say({ place: 'self', violations, retold: [] });
}

function recorderIn(folder: string): string {
  const recorder = buildRecorder(folder);
  if (recorder === undefined) throw new Error('there is no C compiler to build the recorder with');
  return recorder;
}

async function replays(disk: Ext4Disk, workload: Workload | undefined): Promise<void> {
  const record = await powerRecord({ recorder: recorderIn(top), disk, top }, workload);
  say({ place: 'the record itself', violations: unflushedActions(record), retold: [] });
  const random = new SeededRandom(plan.seed);
  const places =
    plan.count === 0 ? everyPlace(record, plan.samples) : first(somePlaces(record, plan.seed), plan.count);
  const distinct = distinctDisks(record, places);
  say({ operations: record.operations.length, states: distinct.length });
  for (const [done, place] of distinct.entries()) {
    if (isOver(done)) return;
    disk.mountModel(diskAt(record, place));
    const home = new PowerHome(disk.folder, top);
    try {
      const found = await judged(record, home, place, workload, random.chance(plan.undoShare));
      say({ place: `${placeName(place)} (after ${record.operations[place.cut - 1]?.kind})`, ...found });
    } finally {
      await home.kill();
      await disk.unmount();
    }
  }
}

async function cuts(disk: Ext4Disk, workload: Workload): Promise<void> {
  const cutter = buildCutter(top);
  if (cutter === undefined) throw new Error('there is no C compiler to build the cutter with');
  const random = new SeededRandom(plan.seed);
  for (let done = 0; done < plan.count; done += 1) {
    if (isOver(done)) return;
    const options = done % 2 === 0 ? 'defaults' : 'commit=60';
    const afterMs = random.between(0, CUT_WITHIN_MS);
    const found = await powerCut({ cutter, disk, top, workload }, { options, afterMs });
    say({ place: `${options} after ${afterMs} ms`, ...found });
  }
}

mkdirSync(join(top, '.config'));
try {
  await using disk = new Ext4Disk(top);
  await using workload = await Workload.open(plan.kind === 'cut' ? MANY : MESSAGES);
  if (plan.kind === 'self') await selfCheck(disk);
  else if (plan.kind === 'cut') await cuts(disk, workload);
  else await replays(disk, plan.kind === 'work' ? workload : undefined);
} finally {
  rmSync(top, { recursive: true, force: true });
  process.stdin.destroy();
}
