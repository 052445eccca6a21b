import { lookAtFiles } from '@bulkhead/actions/pipeline/look-at-files';
import type { AuditedFate } from '@bulkhead/log/agreement/open-actions';
import { likenessOf, type OpenAction } from '@bulkhead/log/agreement/open-actions';
import type { Context } from '@bulkhead/log/context';
import { type ActionFate, faultPoint, type ToolHost } from '@bulkhead/protocol';
import type { RunJournal } from '../run/run-journal.ts';
import type { TransactionFates } from '../run/run-setting.ts';
import { recordedFate } from './action-fate.ts';
import type { InterruptedRun } from './interrupted-run.ts';

/** The services that recovery uses. */
interface RecoveryServices {
  readonly context: Pick<Context, 'audit' | 'timers'>;
  readonly processes: { readonly transactions?: TransactionFates };
  readonly actions: { hostOf(tool: string): Pick<ToolHost, 'inspect'> };
  /** The states of open actions in the audit log. */
  readonly engine: { audited(): ReadonlyMap<string, AuditedFate> };
}

interface Place {
  readonly sessionId: string;
  readonly workingFolder: string;
}

const TEXTS: Readonly<Record<Exclude<ActionFate, 'not_executed'>, string>> = {
  executed: 'The engine was restarted while this was under way. It was carried out; its output is not known.',
  unknown:
    'The engine was restarted while this was under way. It is not known whether it took effect: look before you do it again.',
};

/**
 * Closes everything that a crash left open in a run: each action gets its fate, each round and
 * message its end, so that the run can continue as after a pause. Repeats no action.
 *
 * @param doubtful gets the fingerprints of actions with unknown outcome
 */
export async function closeOpen(
  run: InterruptedRun,
  message: string,
  journal: RunJournal,
  place: Place,
  services: RecoveryServices,
  doubtful: Set<string>,
): Promise<void> {
  faultPoint('recovery.begun');
  for (const hash of run.actions.doubtful) doubtful.add(hash);
  const counts: Record<ActionFate, number> = { executed: 0, not_executed: 0, unknown: 0 };
  if (run.round === undefined || run.round.finished) journal.failRound(run.begun);
  for (const action of run.actions.open) {
    const { intent, tool } = action;
    const where = { ...place, actionId: action.action };
    const fate =
      recordedFate(action, services.processes.transactions, services.engine.audited()) ??
      (await lookAtFiles(
        intent?.changes ?? [],
        services.actions.hostOf(tool),
        where,
        services.context.timers,
      ));
    counts[fate] += 1;
    if (fate === 'unknown') doubtful.add(likenessOf(action));
    faultPoint('recovery.before_fate');
    await record(action, fate, place, services);
    close(action, fate, run, journal);
    services.processes.transactions?.recorded(action.action);
    faultPoint('recovery.after_fate');
  }
  const { executed, not_executed: notExecuted, unknown } = counts;
  journal.publish({ type: 'run_resumed', message, executed, notExecuted, unknown });
  faultPoint('recovery.resumed');
}

async function record(
  { action, hash, tool, call }: OpenAction,
  fate: ActionFate,
  { sessionId }: Place,
  { context: { audit } }: RecoveryServices,
): Promise<void> {
  await audit.append([
    { step: 'RECOVERED', action, hash, session: sessionId, tool, details: { call, fate } },
  ]);
}

function close(action: OpenAction, fate: ActionFate, { round }: InterruptedRun, journal: RunJournal): void {
  const { action: id, call, hash, approval } = action;
  if (approval !== undefined) {
    journal.publish({
      type: 'approval_decided',
      approval,
      action: id,
      hash,
      decision: 'deny',
      by: 'restart',
    });
  }
  const summary = fate === 'not_executed' ? 'it was not done' : TEXTS[fate];
  const completed = {
    type: 'action_completed',
    action: id,
    call,
    hash,
    success: fate === 'executed',
    summary,
    fate,
  } as const;
  const made = round?.unanswered().find(({ callId }) => callId === call);
  if (fate === 'not_executed' || round === undefined || made === undefined) journal.publish(completed);
  else journal.toolOutput(round, made, { text: TEXTS[fate], isError: fate === 'unknown' }, [completed]);
}
