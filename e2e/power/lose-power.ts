import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const CHILD = fileURLToPath(new URL('power.child.ts', import.meta.url));
const NODE = ['--experimental-transform-types', '--disable-warning=ExperimentalWarning'];

export interface PowerPlan {
  /**
   * - `self`: what a shell script does, to see that recorder and disks are right.
   * - `first`: a record of the first start on an empty disk, replayed.
   * - `work`: a record of a session that works, replayed.
   * - `cut`: a real file system whose power is cut while a session works.
   */
  readonly kind: 'self' | 'first' | 'work' | 'cut';
  readonly seed: number;
  /** So many states or cuts; 0 is every state of the record. */
  readonly count: number;
  /** Of every state: so many samples of what chance keeps, after each operation. */
  readonly samples: number;
  /** Share of replays after which all is taken back and done again. */
  readonly undoShare: number;
  /** No further one begins after this, once there were `atLeast`. */
  readonly maxSeconds: number;
  readonly atLeast: number;
}

/** One loss of power, and what was wrong after it. */
export interface PowerLoss {
  readonly place: string;
  readonly violations: readonly string[];
  readonly retold: readonly string[];
}

export interface PowerTally {
  /** Recorded operations and the different disks that were to be tried; 0 for cuts. */
  readonly operations: number;
  readonly states: number;
  readonly losses: readonly PowerLoss[];
}

/** @returns why power can't be lost on this machine; undefined if it can */
export function powerObstacle(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root may mount a disk';
  const programs = ['cc', 'mkfs.ext4', 'debugfs', 'losetup', 'blockdev', 'unshare'];
  const path = `${process.env['PATH']}:/usr/sbin:/sbin`;
  const missing = programs.find(
    (name) => spawnSync('sh', ['-c', `command -v ${name}`], { env: { PATH: path } }).status !== 0,
  );
  if (missing !== undefined) return `${missing} is not here`;
  const free = spawnSync('losetup', ['--find'], { env: { PATH: path } });
  return free.status === 0 ? undefined : 'there is no free loop device';
}

/**
 * Loses power as planned, each time on a disk of its own, and judges what starts there.
 *
 * @param onLoss called after each
 * @throws Error if the harness itself could not do it
 */
export async function losePower(
  plan: PowerPlan,
  onLoss: (loss: PowerLoss) => void = () => undefined,
): Promise<PowerTally> {
  const args = ['-m', '--propagation', 'private', process.execPath, ...NODE, CHILD, JSON.stringify(plan)];
  const child = spawn('unshare', args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const exit = once(child, 'close');
  const losses: PowerLoss[] = [];
  let [operations, states] = [0, 0];
  for await (const line of createInterface({ input: child.stdout })) {
    const said: Partial<PowerLoss> & { readonly operations?: number; readonly states?: number } =
      JSON.parse(line);
    operations = said.operations ?? operations;
    states = said.states ?? states;
    const { place, violations = [], retold = [] } = said;
    if (place === undefined) continue;
    losses.push({ place, violations, retold });
    onLoss({ place, violations, retold });
  }
  const [code] = await exit;
  if (code !== 0) throw new Error(`the loss of power could not be tried (${code}): ${errors.trim()}`);
  return { operations, states, losses };
}
