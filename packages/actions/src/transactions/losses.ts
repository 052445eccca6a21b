import { shownName } from '@bulkhead/files';
import { mayLose } from '@bulkhead/processes/losses/lost-contents';
import type { CommandEffects, LostContent, ObservedChange } from '@bulkhead/protocol';
import { NameFacts } from './name-facts.ts';

/** If more contents are lost, a person must decide. */
const MANY = 50;
/** Also if most of the folder's entries are deleted, from this number on. */
const SOME = 3;

/** The facts of earlier actions that judge the losses of a command. */
export interface EarlierLosses {
  /** Contents that earlier commands of the same answer lost, since a person was last asked about them. */
  readonly count: number;
  /** True for a file that commands of this session made, with a content that was never a person's. */
  isMade(path: Uint8Array, hash: string): boolean;
}

/** The losses of a command. */
export interface Losses {
  readonly contents: readonly LostContent[];
  readonly earlier: number;
}

const NONE: EarlierLosses = { count: 0, isMade: () => false };

/** Leaves out what the session's own commands made. */
export function lossesOf(effects: CommandEffects, earlier: EarlierLosses = NONE): Losses {
  const contents = (effects.lost ?? unseenLosses(effects.changes)).filter(
    ({ path, hash }) => hash === undefined || !earlier.isMade(path, hash),
  );
  return { contents, earlier: earlier.count };
}

/** Contents of a command alone. */
export function countLosses({ contents }: Losses): number {
  return contents.reduce((sum, { count }) => sum + count, 0);
}

/** No one looked: every content that may be lost is. */
function unseenLosses(changes: readonly ObservedChange[]): readonly LostContent[] {
  const known = new NameFacts();
  return changes
    .filter((change) => mayLose(change))
    .filter(({ path }) => !known.of(namesOf(path)).some(({ isRebuildable, isGit }) => isRebuildable || isGit))
    .map(({ path, what }) => ({ path, what: what === 'deleted' ? what : 'overwritten', count: 1 }));
}

/** Why a person must decide about a loss. @returns undefined if there is no need */
export function massLoss(
  changes: readonly ObservedChange[],
  losses: Losses,
  folder: { entries(): number },
): string | undefined {
  const own = countLosses(losses);
  if (own > 0 && own + losses.earlier > MANY) return lossText(losses);
  const lost = new Set(losses.contents.map(({ path }) => namesOf(path)[0]));
  const top = changes.filter(({ what, path }) => {
    const [name, ...below] = namesOf(path);
    return what === 'deleted' && below.length === 0 && lost.has(name);
  }).length;
  if (top < SOME) return undefined;
  const entries = folder.entries();
  if (top * 2 <= entries) return undefined;
  return [`${top} of the ${entries} entries of the folder would be deleted`, ...earlierText(losses)].join(
    ', ',
  );
}

function lossText({ contents, earlier }: Losses): string {
  const files = contents.filter(({ what }) => what !== 'history');
  const kinds = [...new Set(files.map(({ what }) => what))].sort().join(' or ');
  const clauses = [
    ...(files.length > 0
      ? [`${files.length} ${files.length === 1 ? 'file' : 'files'} would be ${kinds}`]
      : []),
    ...contents.flatMap(({ what, path, count }) =>
      what === 'history' ? [`${count} objects and commits of ${shownName(path)} would be lost`] : [],
    ),
  ];
  return [...clauses, ...earlierText({ earlier })].join(', ');
}

function earlierText({ earlier }: Pick<Losses, 'earlier'>): readonly string[] {
  return earlier > 0 ? [`after ${earlier} that earlier commands of this answer lost`] : [];
}

function namesOf(path: Uint8Array): readonly string[] {
  return Buffer.from(path).toString('utf8').split('/');
}
