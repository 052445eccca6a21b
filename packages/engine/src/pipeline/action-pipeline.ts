import type { AuditDetails } from '@bulkhead/audit';
import {
  type Action,
  BulkheadError,
  type Clock,
  type DurableEventBody,
  describeError,
  type IdSource,
  type ToolDescription,
  type ToolHost,
  type ToolResult,
  type ToolUpdate,
  type Verdict,
} from '@bulkhead/protocol';
import type { Shield } from '@bulkhead/shield';
import type { ApprovalDesk, ApprovalMode } from '../approvals/approval-desk.ts';
import { visibleText } from '../approvals/visible-text.ts';
import { ActionTrail, type AuditSink } from './action-trail.ts';
import {
  buildAction,
  canonicalForm,
  canonicalText,
  type Proposal,
  parseArguments,
  refusedAction,
} from './canonical-action.ts';
import { type ProtectedPlaces, protect } from './protection.ts';
import type { LabelStage, RedactionStage, SnapshotStage } from './stages.ts';

/** The parts one action goes through, in the order of `run`. */
export interface PipelineParts {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly tools: { get(name: string): ToolDescription | undefined; names(): readonly string[] };
  readonly audit: AuditSink;
  readonly labels: LabelStage;
  readonly shield: Pick<Shield, 'judge'>;
  readonly approvals: ApprovalDesk;
  readonly snapshots: SnapshotStage;
  hostOf(tool: string): ToolHost;
  readonly redaction: RedactionStage;
  placesOf(sessionId: string): ProtectedPlaces;
}

/** What one action needs of the run it belongs to. */
export interface ActionContext {
  readonly approve: ApprovalMode;
  /** The user's message that started the run. */
  readonly request: string;
  readonly signal: AbortSignal;
  readonly update: ToolUpdate;
  /** Appends durable events of the action to the session's log. */
  publish(...events: readonly DurableEventBody[]): void;
}

export interface ActionOutcome {
  readonly result: ToolResult;
  /** True if protection, policy or approval refused it; false if it ran, or was no valid call. */
  readonly refused: boolean;
}

/** Why an action must not run. Always an error result for the model, an audit entry and an event. */
class Refusal extends Error {
  readonly byPolicy: boolean;
  constructor(message: string, byPolicy: boolean) {
    super(message);
    this.byPolicy = byPolicy;
  }
}

/**
 * The one way from a proposal to an effect, whoever proposes (A1). Its invariants:
 * - the bytes that are hashed are those judged, shown, approved, audited and executed;
 * - audit entries and intents are durable before the effect they announce;
 * - an error anywhere is a refusal, never a pass (A4).
 */
export class ActionPipeline {
  readonly #parts: PipelineParts;

  constructor(parts: PipelineParts) {
    this.#parts = parts;
  }

  /** Never rejects, except if not even a refusal can be recorded: then the run must stop. */
  async run(proposal: Proposal, context: ActionContext): Promise<ActionOutcome> {
    const stamp = { id: this.#parts.ids(), time: this.#parts.clock.now() };
    let action = refusedAction(proposal, stamp);
    let trail = new ActionTrail(this.#parts.audit, action);
    let announced = false;
    try {
      const { tool, args } = parseArguments(
        proposal,
        this.#parts.tools.get(proposal.tool),
        this.#parts.tools.names(),
      );
      action = buildAction(proposal, tool, args, stamp);
      trail = new ActionTrail(this.#parts.audit, action);
      trail.note('PROPOSED', auditDetails(action));
      const fixed = this.#fixedVerdict(action);
      context.publish(startedEvent(action));
      announced = true;
      const verdict = fixed?.decision === 'block' ? fixed : await this.#judge(action, fixed, context);
      trail.note('EVALUATED', { decision: verdict.decision, tier: verdict.tier, rule: verdict.rule });
      context.publish(verdictEvent(action, verdict));
      if (verdict.decision === 'block') throw new Refusal(refusalText(verdict), true);
      if (verdict.decision === 'escalate') await this.#approve(action, verdict, trail, context);
      if (context.signal.aborted) throw new Refusal('The run was cancelled. Nothing was done.', false);
      this.#recheck(proposal, action);
      await this.#parts.snapshots.take(action);
      trail.note('STARTED');
      await trail.commit();
      return { result: await this.#execute(action, trail, context), refused: false };
    } catch (error) {
      if (!announced) context.publish(startedEvent(action));
      return await this.#refuse(action, trail, context, error);
    }
  }

  /** Protection and flow come first: a block of theirs is final, an escalation of flow asks a person. */
  #fixedVerdict(action: Action): Verdict | undefined {
    return protect(action, this.#parts.placesOf(action.sessionId)) ?? this.#parts.labels.decide(action);
  }

  async #judge(
    action: Action,
    flow: Verdict | undefined,
    { request, signal }: ActionContext,
  ): Promise<Verdict> {
    const verdict = await this.#parts.shield.judge(action, { request }, signal);
    return flow?.decision === 'escalate' && verdict.decision === 'allow' ? flow : verdict;
  }

  async #approve(
    action: Action,
    verdict: Verdict,
    trail: ActionTrail,
    context: ActionContext,
  ): Promise<void> {
    await trail.commit();
    const { id, expires, outcome } = this.#parts.approvals.request(action, context.approve, context.signal);
    context.publish({
      type: 'approval_requested',
      approval: id,
      action: action.id,
      hash: action.hash,
      tool: action.tool,
      shown: visibleText(action.canonical),
      reason: verdict.reason,
      expires: new Date(expires).toISOString(),
    });
    const { decision, by } = await outcome;
    context.publish({
      type: 'approval_decided',
      approval: id,
      action: action.id,
      hash: action.hash,
      decision,
      by,
    });
    trail.note(decision === 'allow' ? 'APPROVED' : 'DENIED', { by });
    if (decision === 'deny') throw new Refusal(denialText(by, verdict), true);
  }

  /** What was judged must still be what runs, and protection must still say yes. */
  #recheck(proposal: Proposal, action: Action): void {
    if (canonicalForm(action.tool, action.arguments).hash !== action.hash) {
      throw new Refusal('the action changed after it was judged', true);
    }
    const tool = this.#parts.tools.get(action.tool);
    const again = tool && buildAction(proposal, tool, action.arguments, { id: action.id, time: 0 });
    if (again === undefined || canonicalText(again.metadata) !== canonicalText(action.metadata)) {
      throw new Refusal('what the action refers to changed after it was judged', true);
    }
    const fixed = protect(action, this.#parts.placesOf(action.sessionId));
    if (fixed !== undefined) throw new Refusal(refusalText(fixed), true);
  }

  /** From here on the action has an effect or may have one: it ends as EXECUTED or FAILED, never as refused. */
  async #execute(action: Action, trail: ActionTrail, context: ActionContext): Promise<ToolResult> {
    const result = this.#parts.redaction.redact(await this.#perform(action, context));
    trail.note(result.isError ? 'FAILED' : 'EXECUTED', { bytes: Buffer.byteLength(result.text) });
    await trail.commit();
    context.publish(completedEvent(action, !result.isError, summaryOf(result)));
    return result;
  }

  async #perform(action: Action, context: ActionContext): Promise<ToolResult> {
    const call = {
      actionId: action.id,
      sessionId: action.sessionId,
      tool: action.tool,
      canonicalArguments: canonicalText(action.arguments),
      workingFolder: action.metadata.workingFolder,
    };
    try {
      return await this.#parts.hostOf(action.tool).execute(call, context.update, context.signal);
    } catch (error) {
      return { text: describeError(error), isError: true };
    }
  }

  async #refuse(
    action: Action,
    trail: ActionTrail,
    context: ActionContext,
    error: unknown,
  ): Promise<ActionOutcome> {
    const reason = error instanceof Refusal ? error.message : describeError(error);
    if (BulkheadError.is(error) && error.code === 'audit_failed') throw error;
    trail.note('REFUSED', { reason });
    await trail.commit();
    context.publish(completedEvent(action, false, reason));
    return { result: { text: reason, isError: true }, refused: error instanceof Refusal && error.byPolicy };
  }
}

function startedEvent(action: Action): DurableEventBody {
  return {
    type: 'action_started',
    action: action.id,
    call: action.callId,
    tool: action.tool,
    hash: action.hash,
  };
}

function verdictEvent(action: Action, { decision, tier, rule, reason }: Verdict): DurableEventBody {
  return { type: 'shield_verdict', action: action.id, hash: action.hash, decision, tier, rule, reason };
}

function completedEvent(action: Action, success: boolean, summary: string): DurableEventBody {
  return {
    type: 'action_completed',
    action: action.id,
    call: action.callId,
    hash: action.hash,
    success,
    summary,
  };
}

/** Names and sizes only: the log of actions is no second copy of their content. */
function auditDetails(action: Action): AuditDetails {
  return {
    call: action.callId,
    run: action.runId,
    bytes: Buffer.byteLength(action.canonical),
    paths: action.metadata.paths.map(({ path, access }) => `${access} ${path}`),
  };
}

function refusalText(verdict: Verdict): string {
  return `Blocked by ${verdict.rule}: ${verdict.reason}. Nothing was done.`;
}

function denialText(by: string, verdict: Verdict): string {
  const who: Record<string, string> = {
    person: 'The user said no',
    timeout: 'Nobody answered in time',
    nobody: 'It needs approval and nobody is there to give it (--approve deny)',
    cancel: 'The run was cancelled',
  };
  return `${who[by] ?? 'It was not approved'}: ${verdict.reason}. Nothing was done.`;
}

function summaryOf(result: ToolResult): string {
  const first = result.text.slice(0, 200).split('\n', 1)[0] ?? '';
  return result.isError ? first : `${Buffer.byteLength(result.text)} bytes`;
}
