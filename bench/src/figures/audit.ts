import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { type AuditInput, openAuditLog, verifyAuditLog } from '@bulkhead/audit';
import { createIdSource, systemClock, systemTimers } from '@bulkhead/protocol';
import type { Figure, Row } from '../figure.ts';
import { summarise } from '../statistics.ts';

const SINGLES = 300;
const ENTRIES = 200_000;
/** As many as are signed together at most. */
const GROUP = 64;
const ROUNDS = 5;
const VERIFIED_PER_SECOND = 300_000;

/**
 * The audit log alone: writing entries to the disk, one by one and in groups, and verifying all of
 * them.
 */
export const audit: Figure = {
  name: 'audit',
  async measure({ signal }) {
    const folder = await mkdtemp(`${tmpdir()}/bulkhead-bench-audit-`);
    try {
      const appended = await appendAll(folder);
      const quick = await verifyRounds(folder, false, signal);
      const chain = await verifyRounds(folder, true, signal);
      return [
        ...appended,
        rowOf('the signed tree', quick, VERIFIED_PER_SECOND),
        rowOf('the hash chain, too', chain),
      ];
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function appendAll(folder: string): Promise<readonly Row[]> {
  const ids = createIdSource(systemClock.now);
  const log = await openAuditLog(folder, { clock: systemClock, timers: systemTimers });
  const singles: number[] = [];
  for (let n = 0; n < SINGLES; n += 1) {
    const begin = performance.now();
    await log.append([entry(ids())]);
    singles.push(performance.now() - begin);
  }
  const begin = performance.now();
  for (let n = 0; n < ENTRIES; n += GROUP) {
    await Promise.all(Array.from({ length: GROUP }, () => log.append([entry(ids())])));
  }
  const seconds = (performance.now() - begin) / 1_000;
  await log.close();
  const alone = summarise(singles);
  return [
    plain('one audit entry, on the disk', `${alone.median.toFixed(2)} ms, p95 ${alone.p95.toFixed(2)}`),
    plain(
      `audit entries in groups of ${GROUP}, each group on the disk and signed`,
      `${Math.round(ENTRIES / seconds).toLocaleString('en')}/s`,
    ),
  ];
}

/** @returns for each round: wall and processor time, both in microseconds an entry */
async function verifyRounds(folder: string, chain: boolean, signal: AbortSignal) {
  const rounds: { readonly wall: number; readonly cpu: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const begin = performance.now();
    const before = process.cpuUsage();
    const { ok, entries } = await verifyAuditLog(folder, { chain, signal });
    const { user, system } = process.cpuUsage(before);
    if (!ok) throw new Error('the audit log of the benchmark does not verify');
    rounds.push({ wall: ((performance.now() - begin) * 1_000) / entries, cpu: (user + system) / entries });
  }
  return rounds;
}

function rowOf(
  what: string,
  rounds: readonly { readonly wall: number; readonly cpu: number }[],
  perSecond?: number,
): Row {
  const wall = summarise(rounds.map((round) => round.wall));
  const cpu = summarise(rounds.map((round) => round.cpu));
  const rate = (microseconds: number): string => Math.round(1_000_000 / microseconds).toLocaleString('en');
  const row = plain(
    `audit verify, one thread: ${what}`,
    `${rate(wall.median)} entries/s; ${rate(cpu.median)} for each second of a core`,
  );
  if (perSecond === undefined) return row;
  const text = `≥ ${perSecond.toLocaleString('en')}/s`;
  return { ...row, target: { text, limit: 1_000_000 / perSecond, value: wall.median } };
}

function plain(what: string, product: string): Row {
  return { what, product, bare: 'none', ratio: '' };
}

/** As long as an entry of an action usually is. */
function entry(id: string): AuditInput {
  const hash = 'ab'.repeat(32);
  return {
    step: 'PROPOSED',
    action: id,
    hash,
    session: id,
    tool: 'read',
    details: { path: '/home/u/note.txt' },
  };
}
