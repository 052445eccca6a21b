import { branchProblems } from './branch-problems.ts';
import { type Effect, effectsOf } from './effects.ts';
import type { Job } from './job.ts';
import { type RecordedAction, recordedActions } from './recorded-actions.ts';
import type { StoredRow, StoredSession } from './stored-session.ts';

/** Facts for judging a session, beside its log. */
export interface Witness {
  /** Working folder. */
  readonly folder: string;
  readonly jobs: readonly Job[];
  /** Ids of messages that were confirmed to their sender as taken. */
  readonly acknowledged: readonly string[];
  /** Ids of actions that the audit log says were started. */
  readonly audited: ReadonlySet<string>;
}

export interface Judgement {
  readonly violations: readonly string[];
  readonly actions: readonly RecordedAction[];
}

/** Holds the log of a settled session against what is on the disk (FG4). */
export function judge(session: StoredSession, witness: Witness): Judgement {
  const { rows } = session;
  const actions = recordedActions(rows);
  const effects = effectsOf(witness.folder, witness.jobs);
  const byToken = Map.groupBy(actions, ({ token }) => token);
  const violations = [
    ...orderProblems(rows),
    ...messageProblems(rows, witness.acknowledged),
    ...branchProblems(session),
    ...actions.flatMap(endProblems),
    ...actions.flatMap((action) => auditProblems(action, witness.audited)),
    ...[...effects].flatMap(([token, effect]) => effectProblems(token, effect, byToken.get(token) ?? [])),
    ...[...byToken].flatMap(([token, own]) => repeatProblems(token, own)),
  ];
  return { violations, actions };
}

function orderProblems(rows: readonly StoredRow[]): string[] {
  const gaps = rows.filter(({ pos }, index) => pos !== index + 1);
  const seqs = rows.flatMap(({ seq }) => (seq === null ? [] : [seq]));
  return [
    ...gaps.slice(0, 1).map(({ pos }) => `record ${pos} does not follow the one before it`),
    ...(seqs.every((seq, index) => seq === index + 1) ? [] : ['seq has gaps or goes back']),
  ];
}

function messageProblems(rows: readonly StoredRow[], acknowledged: readonly string[]): string[] {
  const idsOf = (type: string) => rows.filter((row) => row.type === type).map(({ messageId }) => messageId);
  const accepted = idsOf('input_accepted');
  const settled = idsOf('settled');
  return [
    ...acknowledged
      .filter((id) => !accepted.includes(id))
      .map((id) => `message ${id} was acknowledged and is lost`),
    ...accepted.flatMap((id) => {
      const times = settled.filter((other) => other === id).length;
      return times === 1 ? [] : [`message ${id} is settled ${times} times`];
    }),
  ];
}

function endProblems({ action, call, ends, end }: RecordedAction): string[] {
  return ends === 1 && end !== undefined ? [] : [`action ${action} (${call}) has ${ends} ends`];
}

function auditProblems(
  { action, call, end, intended }: RecordedAction,
  audited: ReadonlySet<string>,
): string[] {
  const began = end === 'executed' || end === 'failed';
  if (began && !intended) return [`action ${action} (${call}) ended as ${end} without an intent`];
  return began && !audited.has(action)
    ? [`action ${action} (${call}) was ${end} and the audit log has no STARTED`]
    : [];
}

/**
 * The disk against the log: an effect that the log calls done must exist, one that it calls not
 * done must not.
 */
function effectProblems(token: string, effect: Effect, actions: readonly RecordedAction[]): string[] {
  const ends = actions.map(({ end, intended }) => `${end ?? 'open'}${intended ? '' : ' without intent'}`);
  const facts = `${token}: on the disk ${effect}, in the log [${ends.join(', ')}]`;
  if (effect === 'torn') return [`${facts}: its file is neither as before nor as after`];
  const done = actions.filter(({ end }) => end === 'executed').length;
  const open = actions.filter(({ end }) => end === 'unknown' || end === 'failed').length;
  if (actions.some(({ tool }) => tool === 'bash')) return commandProblems(facts, effect, actions);
  const least = Math.min(1, done);
  const most = Math.min(1, done + open);
  return effect < least || effect > most ? [`${facts}: they do not agree`] : [];
}

/**
 * A command is a transaction: no outcome is unknown, and the log states exactly the effects on the
 * disk [B2].
 */
function commandProblems(facts: string, effect: number, actions: readonly RecordedAction[]): string[] {
  const doubted = actions.filter(({ end }) => end === 'unknown');
  const kept = actions.filter(({ end, kept }) => end === 'executed' || (end === 'failed' && kept));
  return [
    ...(doubted.length > 0 ? [`${facts}: what became of a command is not known`] : []),
    ...(effect === kept.length ? [] : [`${facts}: they do not agree`]),
  ];
}

/** An action that may have taken effect is not started again, unless a person asked for it [T8]. */
function repeatProblems(token: string, actions: readonly RecordedAction[]): string[] {
  return actions.flatMap(({ action, intended, approved }, index) => {
    const before = actions.slice(0, index);
    const mayHaveHappened = before.some(({ end }) => end === 'executed' || end === 'unknown');
    return intended && mayHaveHappened && !approved
      ? [
          `${token}: action ${action} began although an earlier one may have done the same, and nobody was asked`,
        ]
      : [];
  });
}
