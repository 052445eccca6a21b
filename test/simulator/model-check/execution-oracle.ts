import { createHash } from 'node:crypto';
import type { AuditInput } from '@bulkhead/audit';
import type { ToolHostCall } from '@bulkhead/protocol';
import type { ActionIntent } from '@bulkhead/protocol/records';

/** The answer or expiry of one question. */
export interface AskedOf {
  readonly action: string;
  readonly hash: string;
  yes: boolean;
  no: boolean;
}

/** Facts about an action, from outside the checked code. */
interface Known {
  readonly life: number;
  readonly hash: string;
  /** The shield's verdict. */
  verdict?: string;
  /**
   * True if the same effect may have happened before: then the shield's verdict alone is not
   * enough.
   */
  readonly doubtful: boolean;
  intent?: ActionIntent;
  executions: number;
}

/**
 * Detects unauthorised executions, by FG2: no effect without an authorised digest, never twice. It
 * observes only the pipeline's inputs and outputs, not its state.
 */
export class ExecutionOracle {
  readonly #actions = new Map<string, Known>();
  readonly #audited: AuditInput[] = [];
  readonly violations: string[] = [];
  executions = 0;

  proposed(action: string, known: Pick<Known, 'life' | 'hash' | 'doubtful'>): void {
    this.#actions.set(action, { ...known, executions: 0 });
  }

  judged(action: string, verdict: string): void {
    const known = this.#actions.get(action);
    if (known !== undefined) known.verdict = verdict;
  }

  intended(intent: ActionIntent): void {
    const known = this.#actions.get(intent.action);
    if (known !== undefined) known.intent = intent;
  }

  audited(entries: readonly AuditInput[]): void {
    this.#audited.push(...entries);
  }

  /**
   * @param asked questions of this life @param isDue true if it was requested more often than
   *   executed
   */
  executes(life: number, call: ToolHostCall, asked: readonly AskedOf[], isDue: boolean): void {
    this.executions += 1;
    const known = this.#actions.get(call.actionId);
    if (known === undefined) {
      this.#wrong(call, 'was never proposed');
      return;
    }
    known.executions += 1;
    if (known.executions > 1) this.#wrong(call, 'is executed twice');
    if (known.life !== life) this.#wrong(call, 'belongs to a life that is over');
    if (digestOf(call) !== known.hash) this.#wrong(call, 'is not what was proposed');
    if (known.intent === undefined) this.#wrong(call, 'has no intent in the log');
    this.#checkAudit(call, known);
    const yes = asked.some(
      (one) => one.action === call.actionId && one.hash === known.hash && one.yes && !one.no,
    );
    const allowed = known.verdict === 'allow' && !known.doubtful;
    if (known.verdict === 'block') this.#wrong(call, 'was blocked');
    if (!yes && !allowed) this.#wrong(call, 'was allowed by nobody');
    if (!yes && !isDue) this.#wrong(call, 'happens again, and no person was asked');
  }

  /** The run was cancelled: no execution may start afterwards. */
  begunAfterCancel(action: string): void {
    this.violations.push(`${action} begins although the run was cancelled`);
  }

  #checkAudit(call: ToolHostCall, { hash }: Known): void {
    const steps = this.#audited.filter((entry) => entry.action === call.actionId);
    const started = steps.filter(({ step }) => step === 'STARTED');
    if (started.length !== 1) this.#wrong(call, `has ${started.length} entries STARTED in the audit log`);
    if (steps.some((entry) => entry.hash !== hash)) this.#wrong(call, 'has entries of other hashes');
    if (steps.some(({ step }) => step === 'REFUSED' || step === 'DENIED')) this.#wrong(call, 'was refused');
  }

  #wrong(call: ToolHostCall, what: string): void {
    this.violations.push(`${call.actionId} ${what}`);
  }
}

function digestOf({ tool, canonicalArguments }: ToolHostCall): string {
  const bytes = `{"arguments":${canonicalArguments},"tool":"${tool}"}`;
  return createHash('sha256').update(bytes).digest('hex');
}
