import {
  type Action,
  type ActionFate,
  BulkheadError,
  type Clock,
  describeError,
  type FileChange,
  faultPoint,
  type IdSource,
  type Redaction,
  type Timers,
  type ToolDescription,
  type ToolHost,
  type ToolPlan,
  type ToolResult,
  type Verdict,
} from '@bulkhead/protocol';
import type { RecentAction, Shield } from '@bulkhead/shield';
import type { ApprovalDesk } from '../approvals/approval-desk.ts';
import { visibleText } from '../approvals/visible-text.ts';
import { lookAtFiles } from '../recovery/look-at-files.ts';
import type { ActionContext, ActionOutcome } from './action-context.ts';
import { auditDetails, completedEvent, startedEvent, summaryOf, verdictEvent } from './action-events.ts';
import { ActionTrail, type AuditSink } from './action-trail.ts';
import { askPerson } from './ask-person.ts';
import {
  buildAction,
  canonicalForm,
  canonicalText,
  type Proposal,
  parseArguments,
  refusedAction,
} from './canonical-action.ts';
import { foreseen } from './foreseen.ts';
import { hostCall } from './host-call.ts';
import { likenessOf } from './likeness.ts';
import { type ProtectedPlaces, protect } from './protection.ts';
import { redactResult } from './redact-result.ts';
import { redactUpdates } from './redact-updates.ts';
import { denialText, lossText, MAY_HAVE_HAPPENED, OFF_THE_RECORD, Refusal, refusalText } from './refusal.ts';
import { SettleStep } from './settle-step.ts';
import type { LabelStage, SnapshotStage } from './stages.ts';
import { uncontained } from './uncontained.ts';

/** The parts one action goes through, in the order of `run`. */
export interface PipelineParts {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly ids: IdSource;
  readonly tools: { get(name: string): ToolDescription | undefined; names(): readonly string[] };
  readonly audit: AuditSink;
  readonly labels: LabelStage;
  readonly shield: Pick<Shield, 'judge'>;
  readonly approvals: ApprovalDesk;
  readonly snapshots: SnapshotStage;
  hostOf(tool: string): ToolHost;
  /** Before model, clients, logs and audit [A7]. */
  readonly redaction: Redaction;
  placesOf(sessionId: string): ProtectedPlaces;
  /** What its session did before, for a tier that asks; absent, nothing is known. */
  recentOf?(action: Action): readonly RecentAction[];
  /** Why every shell command needs a person's yes here; absent where they are held back until they were judged. */
  readonly everyCommandAsks?: string;
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
    let trail = this.#trail(action, context);
    let announced = false;
    try {
      const { tool, args } = parseArguments(
        proposal,
        this.#parts.tools.get(proposal.tool),
        this.#parts.tools.names(),
      );
      action = buildAction(proposal, tool, args, stamp);
      trail = this.#trail(action, context);
      trail.note('PROPOSED', auditDetails(action));
      const fixed = this.#fixedVerdict(action, context);
      context.publish(startedEvent(action));
      announced = true;
      const verdict = fixed?.decision === 'block' ? fixed : await this.#judge(action, fixed, context);
      trail.note('EVALUATED', { decision: verdict.decision, tier: verdict.tier, rule: verdict.rule });
      context.publish(verdictEvent(action, verdict));
      if (verdict.decision === 'block') throw new Refusal(refusalText(verdict), true);
      if (context.dryRun && !tool.readOnly) return await this.#describe(action, verdict, trail, context);
      if (verdict.decision === 'escalate') await this.#approve(action, verdict, trail, context);
      this.#recheck(proposal, action);
      const changes = await this.#foretell(action, context);
      await this.#parts.snapshots.take(action);
      if (context.signal.aborted) throw new Refusal('The run was cancelled. Nothing was done.', false);
      await this.#announce(action, changes, trail, context);
      return await this.#execute(action, changes, trail, context);
    } catch (error) {
      if (!announced) context.publish(startedEvent(action));
      return await this.#refuse(action, trail, error);
    }
  }

  #trail(action: Action, { offTheRecord }: ActionContext): ActionTrail {
    // Off the record, the name a model gave a tool that isn't there is its words, and no name.
    const known = this.#parts.tools.get(action.tool) !== undefined;
    const shown = offTheRecord && !known ? { ...action, tool: 'unknown' } : action;
    return new ActionTrail(this.#parts.audit, shown, offTheRecord);
  }

  /** Protection and flow come first: a block of theirs is final, an escalation asks a person whatever policy says. */
  #fixedVerdict(action: Action, { offTheRecord, doubtful }: ActionContext): Verdict | undefined {
    if (offTheRecord && action.metadata.effect !== 'pure') return OFF_THE_RECORD;
    const found = [
      protect(action, this.#parts.placesOf(action.sessionId)),
      this.#parts.labels.decide(action),
      uncontained(action, this.#parts.everyCommandAsks),
    ].filter((verdict) => verdict !== undefined);
    const fixed = found.find(({ decision }) => decision === 'block') ?? found[0];
    return fixed?.decision !== 'block' && doubtful.has(likenessOf(action)) ? MAY_HAVE_HAPPENED : fixed;
  }

  async #judge(
    action: Action,
    flow: Verdict | undefined,
    { request, signal }: ActionContext,
  ): Promise<Verdict> {
    const recent = () => this.#parts.recentOf?.(action) ?? [];
    const verdict = await this.#parts.shield.judge(action, { request, recent }, signal);
    return flow?.decision === 'escalate' && verdict.decision === 'allow' ? flow : verdict;
  }

  async #approve(
    action: Action,
    verdict: Verdict,
    trail: ActionTrail,
    context: ActionContext,
  ): Promise<void> {
    await trail.commit();
    // What is hidden from the person is still part of what they allow: the hash is that of the whole.
    const shown = visibleText(this.#parts.redaction.redact(action.canonical));
    const question = { shown, reason: verdict.reason };
    const { decision, by } = await askPerson(this.#parts.approvals, action, question, context);
    trail.note(decision === 'allow' ? 'APPROVED' : 'DENIED', { by });
    if (decision === 'deny') throw new Refusal(denialText(by, verdict), true);
    context.doubtful.delete(likenessOf(action));
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
    if (fixed?.decision === 'block') throw new Refusal(refusalText(fixed), true);
  }

  /** Which files the action will change, and how: what it can be looked up by after a crash (FG5). */
  async #foretell(action: Action, { signal }: ActionContext): Promise<readonly FileChange[]> {
    const { command, effect, paths } = action.metadata;
    // What a command does is known when it has been done, and then asked about.
    if (command !== undefined) return [];
    if (effect === 'pure' || !paths.some(({ access }) => access === 'write')) return [];
    try {
      return (await this.#parts.hostOf(action.tool).plan(hostCall(action), signal)).changes;
    } catch {
      // What can't be foretold can't be looked up either; the call itself says what is wrong.
      return [];
    }
  }

  /** The intent, on the disk in the session's log and in the audit log. Both writes are under way at once. */
  async #announce(
    action: Action,
    changes: readonly FileChange[],
    trail: ActionTrail,
    context: ActionContext,
  ): Promise<void> {
    const { id, callId, hash, tool, metadata } = action;
    trail.note('STARTED');
    const audited = trail.commit();
    try {
      faultPoint('intent.before');
      const likeness = likenessOf(action);
      const { effect } = metadata;
      const isSettled = this.#parts.hostOf(tool).transactions === true && isContained(action);
      const transaction = isSettled ? ({ transaction: true } as const) : {};
      context.intend({ action: id, call: callId, hash, likeness, tool, effect, ...transaction, changes });
      faultPoint('intent.after');
    } finally {
      await audited;
    }
  }

  /** From here on the action has an effect or may have one: it ends as EXECUTED or FAILED, never as refused. */
  async #execute(
    action: Action,
    changes: readonly FileChange[],
    trail: ActionTrail,
    context: ActionContext,
  ): Promise<ActionOutcome> {
    faultPoint('effect.begun');
    const step = new SettleStep(this.#parts.approvals, action, trail, context);
    const { fate, ...performed } = await this.#perform(action, changes, step, context);
    step.rethrow();
    const result = redactResult(performed, this.#parts.redaction);
    faultPoint('effect.done');
    trail.note(result.isError ? 'FAILED' : 'EXECUTED', { bytes: Buffer.byteLength(result.text) });
    await trail.commit();
    const completed = {
      ...completedEvent(action, !result.isError, summaryOf(result)),
      ...(result.effects === undefined ? {} : { effects: result.effects }),
      ...(fate === undefined ? {} : { fate }),
    };
    return { result, refused: step.refused, completed };
  }

  /** @returns the result and, if the executor was lost, what is known of the action all the same */
  async #perform(
    action: Action,
    changes: readonly FileChange[],
    step: SettleStep,
    context: ActionContext,
  ): Promise<ToolResult & { readonly fate?: ActionFate }> {
    const host = this.#parts.hostOf(action.tool);
    const call = hostCall(action);
    try {
      using updates = redactUpdates(context.update, this.#parts.redaction);
      return await host.execute(call, updates.push, context.signal, (effects) => step.settle(effects));
    } catch (error) {
      if (action.metadata.effect === 'pure') return { text: describeError(error), isError: true };
      const fate = await lookAtFiles(changes, host, call, this.#parts.timers);
      if (fate === 'unknown') context.doubtful.add(likenessOf(action));
      return { text: lossText(fate, error), isError: fate !== 'executed', fate };
    }
  }

  /** A dry run: says what would happen, also that a person would be asked first. */
  async #describe(
    action: Action,
    verdict: Verdict,
    trail: ActionTrail,
    { signal }: ActionContext,
  ): Promise<ActionOutcome> {
    const asks = verdict.decision === 'escalate';
    // A plan shows what is there now: that, too, is for a person to allow.
    const plan: ToolPlan = asks
      ? { text: `It would need approval first: ${verdict.reason}.`, isError: false, changes: [] }
      : await this.#parts.hostOf(action.tool).plan(hostCall(action), signal);
    const text = `Dry run, nothing was done. ${plan.text}${foreseen(plan, action)}`;
    const result = redactResult({ text, isError: plan.isError }, this.#parts.redaction);
    trail.note('DESCRIBED');
    await trail.commit();
    const completed = { ...completedEvent(action, !plan.isError, summaryOf(result)), dryRun: true as const };
    return { result, refused: false, completed };
  }

  async #refuse(action: Action, trail: ActionTrail, error: unknown): Promise<ActionOutcome> {
    const said = error instanceof Refusal ? error.message : describeError(error);
    const reason = this.#parts.redaction.redact(said);
    if (BulkheadError.is(error) && error.code === 'audit_failed') throw error;
    if (BulkheadError.is(error) && error.code === 'store_failed') throw error;
    trail.note('REFUSED', { reason });
    await trail.commit();
    return {
      result: { text: reason, isError: true },
      refused: error instanceof Refusal && error.byPolicy,
      completed: completedEvent(action, false, reason),
    };
  }
}

/** True for a command whose effects all wait for a decision: it has no way out and does not go on by itself. */
function isContained({ metadata: { command, hosts = [], background } }: Action): boolean {
  return command !== undefined && hosts.length === 0 && background !== true;
}
