import { type ActionFate, describeError, type Verdict } from '@bulkhead/protocol';

/**
 * Why an action must not run. Always causes an error result for the model, an audit entry and an
 * event.
 */
export class Refusal extends Error {
  readonly byPolicy: boolean;
  constructor(message: string, byPolicy: boolean) {
    super(message);
    this.byPolicy = byPolicy;
  }
}

export const OFF_THE_RECORD: Verdict = {
  decision: 'block',
  tier: 0,
  rule: 'off the record',
  reason: 'only tools that change nothing may be used off the record',
  confidence: 1,
};

export const MAY_HAVE_HAPPENED: Verdict = {
  decision: 'escalate',
  tier: 0,
  rule: 'interrupted action',
  reason: 'the same action was cut off before and may have taken effect',
  confidence: 1,
};

export function refusalText(verdict: Verdict): string {
  return `Blocked by ${verdict.rule}: ${verdict.reason}. Nothing was done.`;
}

/** @param ownYes true if there is an approval given in advance that does not cover this */
export function denialText(by: string, verdict: Verdict, ownYes = false): string {
  const who = ownYes && by === 'nobody' ? OWN_YES_DENIAL : whoDenied(by);
  return `${who}: ${verdict.reason}. Nothing was done.`;
}

const OWN_YES_DENIAL =
  '--approve allow does not answer for this; be asked (--approve ask), or, for a command that runs in no box, start the engine with --insecure-no-sandbox';

export function whoDenied(by: string): string {
  const who: Record<string, string> = {
    person: 'The user said no',
    timeout: 'No one answered in time',
    nobody: 'It needs approval and no one can approve it (--approve deny)',
    cancel: 'The run was cancelled',
    limit: 'It needs approval, and too many questions were asked: no one is asked for a minute',
  };
  return who[by] ?? 'It was not approved';
}

/** Without a snapshot, undo would be impossible. */
export function noSnapshotText(error: unknown): string {
  return `What it would change could not be kept first (${describeError(error)})`;
}

/** The model's text for an action whose executor was lost. */
export function lossText(fate: ActionFate, error: unknown): string {
  switch (fate) {
    case 'executed':
      return `It was carried out; then ${describeError(error)}, so its output is not known.`;
    case 'not_executed':
      return `${describeError(error)}. Nothing was done.`;
    case 'unknown':
      return `${describeError(error)}. It is not known whether it took effect: look before you do it again.`;
  }
}
