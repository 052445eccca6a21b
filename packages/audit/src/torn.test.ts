import { appendFileSync, cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { shareOfNumbers } from '@bulkhead/testkit/sweep';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openAuditLog } from './audit-log.ts';
import { proveAction } from './proof/prove-action.ts';
import { proveConsistency } from './proof/prove-consistency.ts';
import { noTimers, proposed, temporaryFolder, withClock, writeLog } from './testing.ts';
import { verifyAuditLog } from './verify/verify-audit-log.ts';

/*
 * Possible states after kill -9 or a power cut: the last line of a file ends at any byte. Entries
 * are flushed before they are signed, so a log with its last entries cut has no checkpoint over
 * them.
 */
let place: ReturnType<typeof temporaryFolder>;
let original: string;
let copy: string;
const LOG = 'audit-000002.jsonl';
const CHECKPOINTS = 'audit-000002.checkpoints';

beforeAll(async () => {
  place = temporaryFolder();
  original = join(place.path, 'original');
  copy = join(place.path, 'copy');
  await writeLog(original, 4, 1_000);
  await writeLog(original, 2, 1_000);
});
afterAll(() => place[Symbol.dispose]());
beforeEach(() => fresh());

function fresh(): void {
  rmSync(copy, { recursive: true, force: true });
  cpSync(original, copy, { recursive: true });
}

async function reopen(): Promise<void> {
  const log = await openAuditLog(copy, { ...withClock, timers: noTimers, rotateBytes: 100_000 });
  await log.close();
}

const lastSteps = (count: number): readonly string[] =>
  readFileSync(join(copy, LOG), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(-count)
    .map((line) => String(JSON.parse(line).step));

/** The log is complete, and everything signed before can still be proved. */
async function expectMended(signedBefore: number): Promise<void> {
  const found = await verifyAuditLog(copy, { chain: true });
  expect(found).toMatchObject({ ok: true, signed: { to: found.entries } });
  expect((await proveAction(copy, 'a2')).entries).toHaveLength(2);
  const proof = await proveConsistency(copy, { older: signedBefore });
  expect(proof.newer).toContain(`\n${found.entries}\n`);
}

describe('a log whose last line a crash left incomplete', () => {
  it('is mended at each byte of an unsigned entry, says so, and proves what it proved [FT86]', async () => {
    const { entries } = await verifyAuditLog(original);
    const path = join(copy, LOG);
    const signed = readFileSync(path);
    const log = await openAuditLog(copy, { ...withClock, timers: noTimers, rotateBytes: 100_000 });
    await log.append([proposed('unsigned')]);
    const whole = readFileSync(path);
    await log.close();
    const last = whole.length - 1;
    for (const size of [...shareOfNumbers(signed.length + 1, last, 50), last]) {
      fresh();
      writeFileSync(path, whole.subarray(0, size));
      await reopen();
      expect(lastSteps(1)).toEqual(['REPAIRED']);
      expect((await verifyAuditLog(copy)).entries).toBe(entries + (size === last ? 2 : 1));
      if (size % 16 === 0) await expectMended(entries);
    }
    await expectMended(entries);
  }, 360_000);

  it('is mended at each byte of its checkpoints, says so, and proves what it proved [FT86]', async () => {
    const { entries } = await verifyAuditLog(original);
    const path = join(copy, CHECKPOINTS);
    const whole = readFileSync(path);
    // Everything after the first checkpoint of the first file may be missing: only a signature is
    // lost.
    for (const size of shareOfNumbers(0, whole.length, 80)) {
      fresh();
      truncateSync(path, size);
      const torn = size > 0 && whole[size - 1] !== 10;
      await reopen();
      expect(lastSteps(1)).toEqual([torn ? 'REPAIRED' : 'PROPOSED']);
      const found = await verifyAuditLog(copy);
      const after = entries + (torn ? 1 : 0);
      expect(found).toMatchObject({ ok: true, entries: after, signed: { to: after } });
    }
  }, 360_000);

  it('is not mended, and not touched, if a checkpoint covers what is gone [FT86]', async () => {
    const path = join(copy, LOG);
    truncateSync(path, readFileSync(path).length - 3);
    const before = readFileSync(path);
    await expect(reopen()).rejects.toThrow(/entries were taken off its end/);
    expect(readFileSync(path)).toEqual(before);
    expect((await verifyAuditLog(copy)).ok).toBe(false);
  });

  it('is refused if what follows its last checkpoint is no part of one', async () => {
    appendFileSync(join(copy, CHECKPOINTS), '"not a checkpoint"\n');
    await expect(reopen()).rejects.toThrow(/line \d+ of audit-000002.checkpoints in the audit log is bad/);
  });

  it('that had no checkpoints yet is signed as a whole, and says from where [U1]', async () => {
    for (const name of ['audit-000001.checkpoints', CHECKPOINTS, 'checkpoint-key.pem', 'checkpoint-key.pub'])
      rmSync(join(copy, name));
    const before = await verifyAuditLog(copy);
    expect(before.ok && before.signed === undefined).toBe(true);
    await reopen();
    expect(await verifyAuditLog(copy)).toMatchObject({
      ok: true,
      entries: before.entries,
      signed: { checkpoints: 1, from: before.entries, to: before.entries },
    });
  });
});
