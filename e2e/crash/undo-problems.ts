import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BulkheadError } from '@bulkhead/protocol';
import type { CrashHome } from './crash-home.ts';
import { fileOf, type Job, removedBy, textBefore } from './job.ts';

/** Whatever can call the engine of a home. */
type CallableHome = Pick<CrashHome, 'call'>;

/** A session that has settled, whatever died in it. */
interface SettledSession {
  readonly id: string;
  readonly folder: string;
  readonly jobs: readonly Job[];
}

/** File that every folder of a round holds before the first message. */
export const NOTES = { name: 'notes.txt', text: 'notes\n' } as const;

/**
 * Takes back all that a session did, answer by answer, the newest first, and looks whether its folder is as it was before the
 * first; then takes that back, too, and looks whether it is as it was left [U2].
 */
export async function undoProblems(home: CallableHome, session: SettledSession): Promise<readonly string[]> {
  const left = treeOf(session.folder);
  const { snapshots } = await home.call((client) => client.call('listSnapshots', {}));
  const own = snapshots.filter(({ sessionId, undoes }) => sessionId === session.id && undoes.length === 0);
  const problems: string[] = [];
  const back: string[] = [];
  for (const run of new Set(own.map(({ runId }) => runId))) {
    const { id, told } = await takeBack(home, run, true);
    problems.push(...told);
    if (id !== '') back.push(id);
  }
  problems.push(...differences('undone', treeBefore(session.jobs), treeOf(session.folder)));
  for (const id of back.toReversed()) problems.push(...(await takeBack(home, id, false)).told);
  return [...problems, ...differences('done again', left, treeOf(session.folder))];
}

async function takeBack(home: CallableHome, id: string, turn: boolean) {
  try {
    const report = await home.call((client) =>
      client.call('rollBack', { id, turn, skipConflicts: false, dryRun: false }),
    );
    const told = report.conflicts.map(({ path, reason }) => `${id} can't be taken back: ${path} ${reason}`);
    return { id: report.id, told };
  } catch (error) {
    return { id: '', told: [`${id} can't be taken back: ${BulkheadError.from(error).message}`] };
  }
}

type Tree = ReadonlyMap<string, string>;

function treeBefore(jobs: readonly Job[]): Tree {
  const steps = jobs.flatMap(({ rounds }) => rounds.flat());
  return new Map([
    [NOTES.name, factsOf(NOTES.text)],
    ...steps.flatMap((step): [string, string][] => {
      if (step.tool === 'edit') return [[fileOf(step), factsOf(textBefore(step.token))]];
      return step.tool === 'bash' ? [[removedBy(step.token), factsOf('to be removed\n')]] : [];
    }),
  ]);
}

function treeOf(folder: string): Tree {
  return new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => {
      const path = join(folder, name);
      return [name, lstatSync(path).isFile() ? factsOf(readFileSync(path, 'utf8')) : 'no file'];
    }),
  );
}

function factsOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

function differences(when: string, wanted: Tree, found: Tree): string[] {
  const names = new Set([...wanted.keys(), ...found.keys()]);
  return [...names]
    .filter((name) => wanted.get(name) !== found.get(name))
    .map(
      (name) => `${when}: ${name} is ${found.get(name) ?? 'not there'}, not ${wanted.get(name) ?? 'absent'}`,
    );
}
