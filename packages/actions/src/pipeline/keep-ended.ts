import type { AuditSink } from '@bulkhead/audit';
import type { Action, CommandEffects, IdSource, ObservedChange } from '@bulkhead/protocol';
import type { BackgroundCommand, EndedDecision } from '@bulkhead/tools';
import { folderFacts } from '../transactions/folder-facts.ts';
import { judgeEffects } from '../transactions/judge-effects.ts';
import { countLosses, lossesOf } from '../transactions/losses.ts';
import { effectsVerdict } from '../transactions/settle-effects.ts';
import { changedPaths } from './changed-paths.ts';
import type { LabelStage, SnapshotStage } from './stages.ts';

interface KeepEndedParts {
  readonly ids: IdSource;
  readonly audit: AuditSink;
  readonly snapshots: SnapshotStage;
  readonly labels: Pick<LabelStage, 'wrote' | 'deleted' | 'goingOn'>;
}

/**
 * Decides about the changes of a background command that no one stopped: the same judgement as for any
 * command, but no run in which a person could be asked. So only what needs no question is kept; the
 * rest waits for an action that stops the command. As an undo by a person, it is an action of the
 * audit log and of the chronicle, and of no session's log.
 */
export function keepEnded(
  parts: KeepEndedParts,
): (command: BackgroundCommand, effects: CommandEffects) => Promise<EndedDecision> {
  return async ({ action: id }, effects) => {
    const begun = parts.labels.goingOn.actionOf(id);
    if (begun === undefined) return { commit: false, reason: 'it is not known which action began it' };
    // Its first part, if any, has a snapshot of its own.
    const action = { ...begun, id: parts.ids() };
    const losses = lossesOf(effects, parts.snapshots.earlierLosses(action));
    const judged = judgeEffects(effects, folderFacts(action.metadata.workingFolder), losses);
    if (judged.decision !== 'commit') return { commit: false, reason: effectsVerdict(judged).reason };
    return await announced(parts, action, begun, effects, countLosses(losses));
  };
}

/** The audit log and the snapshot are on the disk first. */
async function announced(
  { audit, snapshots, labels }: KeepEndedParts,
  action: Action,
  begun: Action,
  effects: CommandEffects,
  lost: number,
): Promise<EndedDecision> {
  const { id, hash, sessionId: session, tool } = action;
  const details = { by: 'engine', continues: begun.id, changes: effects.changes.length };
  const entry = { action: id, hash, session, tool, details };
  const pathsOf = (isMeant: (change: ObservedChange) => boolean) =>
    changedPaths(action.metadata.workingFolder, effects.changes.filter(isMeant));
  await audit.append([{ ...entry, step: 'STARTED' }]);
  try {
    await snapshots.takeEffects(action, effects, { count: lost, isAllowed: false });
    labels.wrote(
      begun,
      pathsOf(({ what }) => what !== 'deleted' && what !== 'metadata'),
    );
  } catch (error) {
    await snapshots.finish(action);
    await audit.append([{ ...entry, step: 'FAILED' }]);
    throw error;
  }
  return {
    commit: true,
    async settled(kept) {
      try {
        if (kept === true)
          labels.deleted(
            begun,
            pathsOf(({ what }) => what === 'deleted'),
          );
      } finally {
        await snapshots.finish(action);
        // An unknown outcome has no entry: recovery finds it out.
        if (kept !== undefined) await audit.append([{ ...entry, step: kept ? 'EXECUTED' : 'FAILED' }]);
      }
    },
  };
}
