import { startedActions } from '../crash/audited.ts';
import { type Effect, effectsOf } from '../crash/effects.ts';
import { type Job, tokenOf } from '../crash/job.ts';
import { type RecordedAction, recordedActions } from '../crash/recorded-actions.ts';
import { fieldsOf, type StoredRow, type StoredSession } from '../crash/stored-session.ts';
import type { Told } from './told.ts';

/** Content of the disk and knowledge of clients, beside a session's log. */
export interface PowerWitness {
  readonly folder: string;
  /** Folder of the audit log. */
  readonly audit: string;
  readonly jobs: readonly Job[];
  /** Facts that a client received before power was lost. */
  readonly told: readonly Told[];
}

/**
 * Compares a session that has settled after a loss of power with what a client received before, and
 * with the disk.
 *
 * @param session undefined if the log does not know it
 */
export function powerProblems(session: StoredSession | undefined, witness: PowerWitness): readonly string[] {
  const { folder, jobs, told } = witness;
  const rows = session?.rows ?? [];
  const actions = recordedActions(rows);
  const effects = effectsOf(folder, jobs);
  const byToken = Map.groupBy(actions, ({ token }) => token);
  const isKnown = told.some(({ kind }) => kind === 'session');
  return [
    ...(isKnown && session === undefined ? ['a client was told of the session, and it is lost'] : []),
    ...messageProblems(rows, told),
    ...actions.filter(({ ends }) => ends !== 1).map(({ call, ends }) => `action ${call} has ${ends} ends`),
    ...auditProblems(actions, witness.audit),
    ...[...effects].flatMap(([token, effect]) => effectProblems(token, effect, byToken.get(token) ?? [])),
    ...told.flatMap((one) => toldProblems(one, rows, actions, effects)),
  ];
}

/**
 * Events that clients received and that differ in the log now.
 *
 * @returns one line for each, in order
 */
export function retoldEvents(rows: readonly StoredRow[], told: readonly Told[]): readonly string[] {
  const bySeq = new Map(rows.flatMap((row) => (row.seq === null ? [] : [[row.seq, row.type] as const])));
  return told.flatMap((one) => {
    if (one.kind !== 'event' || one.event.ephemeral === true) return [];
    const { seq, type } = one.event;
    const now = bySeq.get(seq);
    return now === type ? [] : [`event ${seq} was ${type} and is ${now ?? 'nothing'}`];
  });
}

function messageProblems(rows: readonly StoredRow[], told: readonly Told[]): readonly string[] {
  const times = (type: string, id: string) =>
    rows.filter((row) => row.type === type && row.messageId === id).length;
  const ids = new Set([
    ...rows.flatMap(({ type, messageId }) =>
      type === 'input_accepted' && messageId !== null ? [messageId] : [],
    ),
    ...told.flatMap((one) => (one.kind === 'acknowledged' ? [one.message] : [])),
  ]);
  return [...ids].flatMap((id) => {
    const [accepted, settled] = [times('input_accepted', id), times('settled', id)];
    return [
      ...(accepted === 1 ? [] : [`message ${id} is in the log ${accepted} times`]),
      ...(settled === 1 ? [] : [`message ${id} is settled ${settled} times`]),
    ];
  });
}

function auditProblems(actions: readonly RecordedAction[], audit: string): readonly string[] {
  const started = startedActions(audit);
  return actions
    .filter(({ end, action }) => (end === 'executed' || end === 'failed') && !started.has(action))
    .map(({ call, end }) => `action ${call} was ${end}, and the audit log has no STARTED`);
}

/**
 * An effect that is called done exists once, and one that is called not done does not exist.
 * Unknown allows both.
 */
function effectProblems(
  token: string,
  effect: Effect,
  actions: readonly RecordedAction[],
): readonly string[] {
  const ends = actions.map(({ end, intended }) => `${end ?? 'open'}${intended ? '' : ' without intent'}`);
  const facts = `${token}: on the disk ${effect}, in the log [${ends.join(', ')}]`;
  if (effect === 'torn') return [`${facts}: neither as before nor as after`];
  const done = actions.filter(({ end, kept }) => end === 'executed' || (end === 'failed' && kept)).length;
  const open = actions.filter(({ end }) => end === 'unknown').length;
  return [
    ...(effect > 1 || done > 1 ? [`${facts}: done more than once`] : []),
    ...(effect < Math.min(done, 1) ? [`${facts}: not there`] : []),
    ...(effect > done + open ? [`${facts}: nobody is told that it was done`] : []),
  ];
}

function toldProblems(
  told: Told,
  rows: readonly StoredRow[],
  actions: readonly RecordedAction[],
  effects: ReadonlyMap<string, Effect>,
): readonly string[] {
  if (told.kind !== 'event') return [];
  const event = fieldsOf(told.event);
  if (told.event.type === 'settled') {
    const found = rows.filter(({ type, body }) => type === 'settled' && body['message'] === event['message']);
    return found.some(({ body }) => body['outcome'] === event['outcome'])
      ? []
      : [`a client was told that ${event['message']} ended as ${event['outcome']}`];
  }
  if (told.event.type !== 'action_completed') return [];
  return completedProblems(event, actions, effects);
}

function completedProblems(
  event: Readonly<Record<string, unknown>>,
  actions: readonly RecordedAction[],
  effects: ReadonlyMap<string, Effect>,
): readonly string[] {
  const call = String(event['call']);
  const own = actions.filter((action) => action.call === call);
  const effect = effects.get(tokenOf(call)) ?? 0;
  if (event['success'] === true)
    return [
      ...(effect === 1 || !effects.has(tokenOf(call))
        ? []
        : [`a client was told that ${call} is done; on the disk ${effect}`]),
      ...(own.some(({ end }) => end === 'executed' || end === 'unknown')
        ? []
        : [`a client was told that ${call} is done; the log says ${own.map(({ end }) => end).join(', ')}`]),
    ];
  return [];
}
