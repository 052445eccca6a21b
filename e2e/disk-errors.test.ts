/*
 * Disks that fail under a running engine: each a small tmpfs in a mount namespace of its own. All
 * of them promise: new work is refused with the reason, reading goes on, and work goes on once the
 * disk can be written again, without a restart by a person.
 */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { busyness } from '@bulkhead/testkit/processor-time';
import { shareOf } from '@bulkhead/testkit/sweep';
import { describe, expect, it } from 'vitest';
import { faultBuild } from './crash/fault-build.ts';

const dist = fileURLToPath(new URL('../dist', import.meta.url));
const canMount = spawnSync('unshare', ['-Urm', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;
if (!canMount) process.stderr.write('SKIPPED: disks that fail need user and mount namespaces\n');

const MOUNT =
  'mount -t tmpfs -o size=24m,mode=700 none "$1/home" && exec "$2" --experimental-transform-types "$3" "$4" "$1" "$5"';
const LIMIT_MS = 450_000;
const execute = promisify(execFile);

interface Facts {
  readonly [name: string]: unknown;
}

/** Runs one scenario of the child, and returns what it saw. */
async function run(scenario: string, build = dist): Promise<Facts> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'bulkhead-disk-')));
  mkdirSync(join(root, 'home'), { mode: 0o700 });
  try {
    const child = fileURLToPath(new URL('crash/disk-errors.child.ts', import.meta.url));
    const args = ['-Urm', 'sh', '-c', MOUNT, 'sh', root, process.execPath, child, scenario, build];
    const { stdout } = await execute('unshare', args, { timeout: LIMIT_MS });
    const facts: Facts = JSON.parse(stdout);
    return facts;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Of every scenario: reading goes on, the engine stays, and it works again afterwards with everything that was accepted. */
const GOES_ON = {
  before: 'completed',
  reads: { sessions: 1, entries: 2, snapshots: 0, notices: 1, health: { status: 'reading_only' } },
  samePid: true,
  // Known, and not admitted to the owner's list.
  stolenBefore: 403,
  stolen: 401,
  stolenAfter: 401,
  after: 'completed',
  noticesAfter: [],
  inputs: ['m0', 'm1'],
};

/** They wait for probes and for starts far longer than they work, so they run beside one another. */
describe.skipIf(!canMount)('an engine whose disk fails', { concurrent: true }, () => {
  it('refuses work on a full disk, reads, and works again when there is space [FT80]', {
    timeout: LIMIT_MS,
  }, async () => {
    expect(await run('full')).toMatchObject({
      ...GOES_ON,
      refused: { code: 'store_failed', retryable: true, fix: expect.stringContaining('Free some space') },
      again: expect.stringMatching(/^nothing new is begun: .* the disk is full$/),
    });
  });

  it('goes on after a disk was full again soon, without the wait that bad sectors ask for [FT80]', {
    timeout: LIMIT_MS,
  }, async () => {
    const facts = await run('fullAgain');
    expect(facts).toMatchObject({ first: 'completed', second: 'completed' });
    // From the start on the full disk to the next start. After input/output errors it is at least 20 s.
    expect(facts['waitedMs']).toBeGreaterThan(0);
    expect(Number(facts['waitedMs']) / busyness()).toBeLessThan(19_000);
  });

  const AT_START = [
    ['startFull', 'the disk is full'],
    ['startReadOnly', 'the file system is read-only'],
  ] as const;
  it.each(shareOf(AT_START, 1))(
    'starts for reading, keeps nothing, and works by itself later: %s [FT80]',
    { timeout: LIMIT_MS },
    async (scenario, reason) => {
      expect(await run(scenario)).toMatchObject({
        ...GOES_ON,
        change: 'store_failed',
        refused: { code: 'store_failed', retryable: true, message: expect.stringContaining(reason) },
      });
    },
  );

  it('notices that its home was unmounted, makes none anew, and goes on when it is back', {
    timeout: LIMIT_MS,
  }, async () => {
    expect(await run('unmounted')).toMatchObject({
      ...GOES_ON,
      refused: { retryable: true, message: expect.stringMatching(/the home ROOT\/home .* it is missing$/) },
      inEmptyMountPoint: [],
    });
  });

  it('starts no new home where the disk of one is not mounted, and leaves nothing there [FT80]', {
    timeout: LIMIT_MS,
  }, async () => {
    expect(await run('startUnmounted')).toMatchObject({
      refused: {
        code: 'not_available',
        message:
          'the home that was used at ROOT/home is not there now: the disk that was mounted at ROOT/home is not mounted',
        fix: expect.stringContaining('bulkhead start --new-home'),
      },
      inEmptyMountPoint: [],
      after: 'completed',
    });
  });

  it('acknowledges nothing once its database was deleted, and goes on when it is back', {
    timeout: LIMIT_MS,
  }, async () => {
    expect(await run('databaseDeleted')).toMatchObject({
      ...GOES_ON,
      refused: { retryable: true, message: expect.stringMatching(/the session database .* it is missing$/) },
      madeAnew: false,
    });
  });

  it('lets no client hang while another program holds the database', { timeout: LIMIT_MS }, async () => {
    const facts = await run('foreignLock');
    expect(facts).toMatchObject({
      refused: {
        code: 'store_failed',
        retryable: true,
        message: expect.stringContaining('another program holds'),
      },
      after: 'completed',
    });
    // Before, each of four writers held up all others for two seconds.
    expect(Number(facts['longestMs']) / busyness()).toBeLessThan(1_500);
  });

  it('continues automatically after an input/output error, with nothing lost and nothing done twice [FT80]', {
    timeout: 2 * LIMIT_MS,
  }, async () => {
    const build = await faultBuild();
    expect(existsSync(build)).toBe(true);
    const once = { fired: true, outcome: 'completed', accepted: 1, times: 1 };
    const points = {
      'log.before_write': once,
      'store.before_commit': once,
      'audit.before_write': once,
      'audit.before_flush': once,
      'labels.before_commit': once,
      // An action whose approval can't be noted as used is refused.
      'approvals.before_write': { ...once, times: expect.toBeOneOf([0, 1]) },
      // Without a snapshot nothing is done.
      'snapshot.begun': { ...once, times: 0 },
      // The command is done; its notice says that the whole output was not kept.
      'outputs.before_write': once,
    };
    const tried = shareOf(Object.entries(points), 3);
    const found: Record<string, Facts> = {};
    const left = tried.map(([point]) => point);
    const next = async (): Promise<void> => {
      for (let point = left.shift(); point !== undefined; point = left.shift())
        found[point] = await run(`eio:${point}`, build);
    };
    // Each waits most of its time: three at once do not hold up one another.
    await Promise.all([next(), next(), next()]);
    expect(found).toMatchObject(Object.fromEntries(tried));
  });
});
