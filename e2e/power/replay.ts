import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type StoredSession, StoredSessions } from '../crash/stored-session.ts';
import { undoProblems } from '../crash/undo-problems.ts';
import type { PowerHome } from './power-home.ts';
import { powerProblems, retoldEvents } from './power-oracle.ts';
import type { Told } from './told.ts';
import type { Workload } from './workload.ts';

const SETTLE_MS = 45_000;
const POLL_MS = 50;

export interface Replayed {
  /** Broken promises, which no loss of power may cause. */
  readonly violations: readonly string[];
  /** Events whose place in the log something else has now. */
  readonly retold: readonly string[];
}

/** State of the clients before power was lost. */
export interface ReplayOptions {
  readonly workload: Workload;
  readonly session: string;
  readonly told: readonly Told[];
  /** Takes all back and does it again, which takes longer. */
  readonly withUndo: boolean;
}

/**
 * Starts the product on what a loss of power has left, lets it come to rest and judges it.
 * The caller ends its processes.
 */
export async function replay(home: PowerHome, options: ReplayOptions): Promise<Replayed> {
  const { workload, session, told, withUndo } = options;
  const { code, stdout, stderr } = await home.cli(['start', '--daemon']);
  if (code !== 0)
    return { violations: [`it does not start (${code}): ${`${stdout} ${stderr}`.trim()}`], retold: [] };
  const rested = await restProblems(home, session);
  const stored = readSession(home, session);
  const witness = { folder: home.folder, audit: home.layout.audit, jobs: workload.jobs, told };
  const violations = [...rested, ...powerProblems(stored, witness), ...(await verifyProblems(home))];
  if (withUndo && violations.length === 0 && stored !== undefined)
    violations.push(...(await takeBackProblems(home, session, workload)));
  return { violations, retold: retoldEvents(stored?.rows ?? [], told) };
}

/** Waits until every message in the log is settled. */
async function restProblems(home: PowerHome, session: string): Promise<readonly string[]> {
  const end = performance.now() + SETTLE_MS;
  for (;;) {
    const open = openMessages(readSession(home, session));
    if (open.length === 0) return [];
    if (performance.now() > end) return [`not settled within ${SETTLE_MS / 1_000} s: ${open.join(', ')}`];
    await sleep(POLL_MS);
  }
}

function openMessages(stored: StoredSession | undefined): readonly string[] {
  const idsOf = (type: string) =>
    (stored?.rows ?? []).flatMap((row) =>
      row.type === type && row.messageId !== null ? [row.messageId] : [],
    );
  const settled = new Set(idsOf('settled'));
  return idsOf('input_accepted').filter((id) => !settled.has(id));
}

function readSession(home: PowerHome, session: string): StoredSession | undefined {
  try {
    using stored = new StoredSessions(home.layout.database);
    return stored.read(session);
  } catch {
    return undefined;
  }
}

async function verifyProblems(home: PowerHome): Promise<readonly string[]> {
  const audit = await home.cli(['audit', 'verify']);
  using client = await home.client();
  const { problems } = await client.call('verifyChronicle', {});
  return [
    ...(audit.code === 0 ? [] : [`audit verify says: ${audit.stdout.trim()} ${audit.stderr.trim()}`]),
    ...problems.map((problem) => `chronicle verify says: ${JSON.stringify(problem)}`),
  ];
}

async function takeBackProblems(home: PowerHome, id: string, { jobs }: Workload): Promise<readonly string[]> {
  using client = await home.client();
  return await undoProblems({ call: (action) => action(client) }, { id, folder: home.folder, jobs });
}

/**
 * Promises of a home that was being made for the first time after a loss of power: it starts, with
 * its policies, and works.
 */
export async function replayFirstStart(
  home: PowerHome,
  policies: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  const { code, stdout, stderr } = await home.cli(['start', '--daemon']);
  if (code !== 0) return [`it does not start (${code}): ${`${stdout} ${stderr}`.trim()}`];
  const found = policiesOf(home);
  const names = new Set([...policies.keys(), ...found.keys()]);
  const differing = [...names].filter((name) => policies.get(name) !== found.get(name));
  const run = await home.cli(['run', '--approve', 'deny', 'hello']);
  return [
    ...differing.map((name) => `policies/${name} is not what a home begins with`),
    ...(run.code === 0 ? [] : [`it runs nothing (${run.code}): ${run.stderr.trim()}`]),
    ...(await verifyProblems(home)),
  ];
}

/** The policies of a home, by name. */
export function policiesOf(home: PowerHome): ReadonlyMap<string, string> {
  const folder = home.layout.policies;
  return new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}
