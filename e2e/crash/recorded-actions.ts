import { tokenOf } from './job.ts';
import type { StoredRow } from './stored-session.ts';

/**
 * End of an action by the log: `failed` is one whose command or worker broke off, so that it may
 * have done all, some or nothing; `refused` never began, or the tool itself would not do it.
 */
export type ActionEnd = 'executed' | 'not_executed' | 'unknown' | 'failed' | 'refused';

/** One action, as the records of its session tell it. */
export interface RecordedAction {
  readonly action: string;
  readonly call: string;
  readonly token: string;
  readonly tool: string;
  /** Undefined: it has no end. */
  readonly end: ActionEnd | undefined;
  /** It ended in a recovery. */
  readonly recovered: boolean;
  readonly intended: boolean;
  /** A person, not an option of the run, said yes. */
  readonly approved: boolean;
  /** Of a command: its end says that it changed something, and that this was kept. */
  readonly kept: boolean;
  /** How many ends it has. */
  readonly ends: number;
}

/** @returns the actions in the order in which they were proposed */
export function recordedActions(rows: readonly StoredRow[]): readonly RecordedAction[] {
  const byAction = Map.groupBy(
    rows.filter(({ body }) => typeof body['action'] === 'string'),
    ({ body }) => String(body['action']),
  );
  return [...byAction].flatMap(([action, own]) => {
    const started = own.find(({ type }) => type === 'action_started');
    return started === undefined ? [] : [recordedAction(action, started, own)];
  });
}

function recordedAction(action: string, started: StoredRow, own: readonly StoredRow[]): RecordedAction {
  const call = String(started.body['call']);
  const ends = own.filter(({ type }) => type === 'action_completed');
  const intended = own.some(({ type }) => type === 'action_intent');
  const last = ends.at(-1);
  return {
    action,
    call,
    token: tokenOf(call),
    tool: String(started.body['tool']),
    end: last === undefined ? undefined : endOf(last.body, intended, String(started.body['tool'])),
    recovered: last?.body['fate'] !== undefined,
    intended,
    approved: own.some(
      ({ type, body }) =>
        type === 'approval_decided' && body['decision'] === 'allow' && body['by'] === 'person',
    ),
    kept: keptOf(last?.body['effects']),
    ends: ends.length,
  };
}

function keptOf(effects: unknown): boolean {
  if (typeof effects !== 'object' || effects === null || !('kept' in effects)) return false;
  return (
    effects.kept === true && Object.values(effects).some((count) => typeof count === 'number' && count > 0)
  );
}

function endOf(body: StoredRow['body'], intended: boolean, tool: string): ActionEnd {
  const fate = body['fate'];
  if (fate === 'executed' || fate === 'not_executed' || fate === 'unknown') return fate;
  if (body['success'] === true) return 'executed';
  const brokeOff = tool === 'bash' || String(body['summary']).includes('the worker could not');
  return intended && brokeOff ? 'failed' : 'refused';
}
