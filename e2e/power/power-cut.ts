import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { BulkheadError } from '@bulkhead/protocol';
import type { Ext4Disk } from './ext4-disk.ts';
import { PowerHome } from './power-home.ts';
import { settledHome } from './power-record.ts';
import { type Replayed, replay } from './replay.ts';
import { monotonicNow } from './told.ts';
import { Watcher } from './watcher.ts';
import type { Workload } from './workload.ts';

const SOURCE = fileURLToPath(new URL('recorder/cut-power.c', import.meta.url));

/** Builds the program that ends a file system at once. @returns undefined where there is no compiler */
export function buildCutter(folder: string): string | undefined {
  const program = join(folder, 'cut-power');
  const { status, stderr, error } = spawnSync(
    'cc',
    ['-O2', '-Wall', '-Wextra', '-Werror', '-o', program, SOURCE],
    {
      encoding: 'utf8',
    },
  );
  if (error !== undefined) return undefined;
  if (status !== 0) throw new Error(`the power cutter does not compile:\n${stderr}`);
  return program;
}

export interface PowerCut {
  /** As `mount -o` takes them. */
  readonly options: string;
  /** Milliseconds from the first message to the loss of power. */
  readonly afterMs: number;
}

interface CutPlace {
  readonly cutter: string;
  readonly disk: Ext4Disk;
  /** A folder on another disk. */
  readonly top: string;
  readonly workload: Workload;
}

/**
 * Runs the product on a real ext4, takes the power from the disk while it works, mounts what is left (the kernel replays its
 * journal), and judges what starts there. The disk is unmounted afterwards.
 */
export async function powerCut(place: CutPlace, { options, afterMs }: PowerCut): Promise<Replayed> {
  const { cutter, disk, top, workload } = place;
  disk.mountEmpty(options);
  const home = new PowerHome(disk.folder, top);
  try {
    await settledHome(home, workload);
    spawnSync('sync', ['-f', disk.folder]);
    await home.cli(['start', '--daemon']);
    const watcher = await Watcher.begin(home);
    const talk = workload.talk(watcher).catch((error: unknown) => {
      // Power is lost under it.
      if (!BulkheadError.is(error) && !String(error).includes('is settled')) throw error;
    });
    await Promise.race([sleep(afterMs), talk]);
    const at = monotonicNow();
    const { status, stderr } = spawnSync(cutter, [disk.folder], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`the power could not be cut: ${stderr}`);
    await home.kill();
    watcher.abandon();
    await talk;
    await watcher[Symbol.asyncDispose]();
    await disk.unmount();
    disk.mountAgain(options);
    const told = watcher.told.filter((one) => one.at < at);
    return await replay(home, { workload, session: watcher.session, told, withUndo: true });
  } finally {
    await home.kill();
    await disk.unmount();
  }
}
