import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DiskModel } from './disk-model.ts';
import { Durability } from './durability.ts';
import type { Ext4Disk } from './ext4-disk.ts';
import type { Operation } from './operation.ts';
import { COMMAND, PowerHome } from './power-home.ts';
import { readRecord } from './read-record.ts';
import { recordProblems } from './record-problems.ts';
import { Recording } from './recorder.ts';
import { policiesOf } from './replay.ts';
import type { Told } from './told.ts';
import { Watcher } from './watcher.ts';
import type { Workload } from './workload.ts';

/** A run of the product as its disk and its client saw it. */
export interface PowerRecord {
  readonly operations: readonly Operation[];
  readonly durability: Durability;
  readonly told: readonly Told[];
  /** Without a workload, the session is ''. */
  readonly session: string;
  /** Policies of the home when nothing goes wrong. */
  readonly policies: ReadonlyMap<string, string>;
}

interface RecordPlace {
  readonly recorder: string;
  readonly disk: Ext4Disk;
  /** A folder on another disk. */
  readonly top: string;
}

/**
 * Runs the product on an empty disk and writes down all it does there.
 *
 * @param workload undefined: the product starts without a home, and no message is sent
 */
export async function powerRecord(
  { recorder, disk, top }: RecordPlace,
  workload: Workload | undefined,
): Promise<PowerRecord> {
  disk.mountEmpty();
  const home = new PowerHome(disk.folder, top);
  if (workload === undefined) mkdirSync(home.folder);
  else {
    await settledHome(home, workload);
  }
  const log = join(top, 'record');
  const start = [COMMAND, 'start', '--daemon'];
  const recording = new Recording(recorder, disk.folder, log, start, { env: home.env, cwd: top });
  try {
    await home.started();
    const watcher = workload === undefined ? undefined : await Watcher.begin(home);
    if (watcher !== undefined) await workload?.talk(watcher);
    await home.freeze();
    await home.kill();
    await watcher?.[Symbol.asyncDispose]();
    const operations = readRecord(await recording.done());
    const problems = recordProblems(DiskModel.after(operations), disk.folder);
    if (problems.length > 0) throw new Error(`the record is not whole: ${problems.slice(0, 5).join('; ')}`);
    const { told = [], session = '' } = watcher ?? {};
    return { operations, durability: new Durability(operations), told, session, policies: policiesOf(home) };
  } finally {
    recording.kill();
    await home.kill();
    await disk.unmount();
  }
}

/**
 * Facts that the client received before power was lost: after the first `cut` operations, and
 * before the next had come to its end.
 */
export function toldBefore({ operations, told }: PowerRecord, cut: number): readonly Told[] {
  const end = operations[cut]?.ended ?? Number.POSITIVE_INFINITY;
  return told.filter(({ at }) => at < end);
}

/** A home that has been started before, with all it needs on the disk: the making of a home is a matter of its own. */
export async function settledHome(home: PowerHome, workload: Workload): Promise<void> {
  home.make(workload.config);
  workload.prepare(home.folder);
  await home.cli(['start', '--daemon']);
  await home.cli(['stop']);
  await home.kill();
}
