import { Suspension, throwIfSuspended } from '@bulkhead/log/suspension/suspension';
import {
  type AcceptedCall,
  type Action,
  BulkheadError,
  describeError,
  type ToolPlan,
  type Verdict,
} from '@bulkhead/protocol';
import type { Label } from '@bulkhead/shield';
import type { ActionContext, ActionOutcome, Repeat } from './action-context.ts';
import { auditDetails, completedEvent, startedEvent, verdictDetails, verdictEvent } from './action-events.ts';
import { ActionTrail } from './action-trail.ts';
import { approveStep } from './approve-step.ts';
import { askForFiles, missingFiles } from './ask-for-files.ts';
import { type Authorisation, authorise, changesDigest } from './authorisation.ts';
import {
  buildAction,
  canonicalForm,
  canonicalText,
  type Proposal,
  parseCall,
  pathsOf,
  refusedAction,
} from './canonical-action.ts';
import { CarryOut } from './carry-out.ts';
import { type Foretold, foretell } from './foretell.ts';
import { grantedTo } from './granted-to.ts';
import { hostCall } from './host-call.ts';
import { judgeContext } from './judge-context.ts';
import { likenessOf } from './likeness.ts';
import { objectionOf } from './objection-of.ts';
import type { PipelineParts } from './pipeline-parts.ts';
import { protect } from './protection.ts';
import { redactResult } from './redact-result.ts';
import { MAY_HAVE_HAPPENED, OFF_THE_RECORD, Refusal, refusalText } from './refusal.ts';
import { repeatCall } from './repeat-call.ts';
import type { ActionFacts } from './stages.ts';
import { strictest } from './strictest.ts';
import { foreseen, questionReason } from './summary-of.ts';
import { UNBOXED, uncontained } from './uncontained.ts';
import { withOffered } from './with-offered.ts';

/**
 * The only path from a proposal to an effect, for every proposer (A1). Its invariants:
 * - the hashed bytes are those judged, shown, approved, audited and executed;
 * - audit entries and intents are durable before the effect they announce;
 * - any error is a refusal, never a pass (A4).
 */
export class ActionPipeline {
  readonly #parts: PipelineParts;
  readonly #carryOut: CarryOut;

  constructor(parts: PipelineParts) {
    this.#parts = parts;
    this.#carryOut = new CarryOut(parts);
  }

  /**
   * Never rejects, except if not even a refusal can be recorded: then the run must stop.
   *
   * @throws Suspension if the engine stops before the action ends: recovery then determines its
   * outcome
   */
  async run(proposal: Proposal, context: ActionContext): Promise<ActionOutcome> {
    const { offered } = context;
    if (offered === undefined)
      return await repeatCall((each, repeat) => this.#run(proposal, each, repeat), context);
    return await new ActionPipeline(withOffered(this.#parts, offered)).#run(proposal, context);
  }

  async #run(proposal: Proposal, context: ActionContext, repeat?: Repeat): Promise<ActionOutcome> {
    const stamp = { id: this.#parts.ids(), time: this.#parts.clock.now() };
    let shown = refusedAction(proposal, stamp);
    let trail = this.#trail(shown, context);
    let announced = false;
    try {
      const { tools } = this.#parts;
      const { tool, parsed } = parseCall(proposal, tools.get(proposal.tool), tools.names());
      const given = grantedTo(this.#parts.approvals.grants, proposal, parsed, repeat, context.dryRun);
      const action = buildAction(proposal, tool, parsed, stamp, given);
      shown = action;
      trail = this.#trail(action, context);
      trail.note('PROPOSED', auditDetails(action));
      const { command, workingFolder } = action.metadata;
      if (command !== undefined) await this.#parts.chooseView(action.sessionId, workingFolder);
      const { fixed, objection } = this.#fixedVerdict(action, trail, context);
      context.start(startedEvent(action, repeat?.action), this.#factsToKeep(action));
      announced = true;
      const verdict = fixed?.decision === 'block' ? fixed : await this.#judge(action, fixed, context);
      // An interrupted judge has given no verdict.
      throwIfSuspended(context.signal);
      trail.note('EVALUATED', verdictDetails(verdict));
      context.publish(verdictEvent(action, verdict));
      // Any other value from a judge is no approval [A4].
      if (verdict.decision !== 'allow' && verdict.decision !== 'escalate')
        throw new Refusal(refusalText(verdict), true);
      if (context.dryRun && !tool.readOnly) return await this.#describe(action, verdict, trail, context);
      const files = missingFiles(action);
      if (files.length > 0) {
        const needs = this.#carryOut.needsOf(action, verdict.policy ?? 'not asked', trail, context);
        return await askForFiles(action, files, needs, trail);
      }
      const authorisation =
        verdict.decision === 'allow'
          ? await this.#permit(action, verdict, context)
          : await this.#approve(action, verdict, fixed, trail, context);
      this.#recheck(action, objection);
      return await this.#carryOut.run(action, authorisation, trail, context);
    } catch (error) {
      if (error instanceof Suspension) throw error;
      throwIfSuspended(context.signal);
      if (!announced) context.publish(startedEvent(shown, repeat?.action));
      return await this.#refuse(shown, trail, error);
    }
  }

  /**
   * A note in the log is exact: if a path or host contains a secret, no note is kept, and the facts
   * are derived again [A7].
   */
  #factsToKeep(action: Action): ActionFacts | undefined {
    const facts = this.#parts.labels.factsOf(action);
    // Each text separately: in JSON, a quotation mark in a secret is escaped.
    const texts = [
      facts?.workingFolder ?? '',
      ...(facts?.paths.map(({ path }) => path) ?? []),
      ...(facts?.hosts ?? []),
      ...(facts?.granted ?? []),
    ];
    return texts.every((text) => this.#parts.redaction.redact(text) === text) ? facts : undefined;
  }

  #trail(action: Action, { offTheRecord }: ActionContext): ActionTrail {
    // Off the record, the name of an unknown tool is the model's text, so it is not kept.
    const known = this.#parts.tools.get(action.tool) !== undefined;
    const shown = offTheRecord && !known ? { ...action, tool: 'unknown' } : action;
    return new ActionTrail(this.#parts.audit, shown, offTheRecord);
  }

  /**
   * Protection and flow come first: their block is final, and their escalation asks a person
   * regardless of the policy.
   */
  #fixedVerdict(
    action: Action,
    trail: ActionTrail,
    { offTheRecord, doubtful }: ActionContext,
  ): { readonly fixed?: Verdict | undefined; readonly objection?: Verdict | undefined } {
    if (offTheRecord && action.metadata.effect !== 'pure') return { fixed: OFF_THE_RECORD };
    const flow = this.#parts.labels.decide(action);
    if (flow.says === 'audit') {
      const { decision, rule } = flow;
      trail.note('EVALUATED', { about: 'flow, which only audits', decision, rule });
    }
    const objection = objectionOf(flow);
    // A person sees every reason: an approval covers only the reasons shown.
    const fixed = strictest([
      doubtful.has(likenessOf(action)) ? MAY_HAVE_HAPPENED : undefined,
      protect(action, this.#parts.placesOf(action.sessionId)),
      objection,
      uncontained(action, this.#parts),
    ]);
    return { fixed, objection };
  }

  async #judge(action: Action, flow: Verdict | undefined, context: ActionContext): Promise<Verdict> {
    const recent = () => this.#parts.recentOf?.(action) ?? [];
    const about = {
      ...judgeContext(action, context, this.#parts.clock.now()),
      ...this.#taint(action),
      recent,
    };
    const verdict = await this.#parts.shield.judge(action, about, context.signal);
    if (flow?.decision !== 'escalate' || verdict.decision === 'block') return verdict;
    // The question names both reasons: the policy's, and, for example, that undo is impossible
    // (FT90).
    if (verdict.decision === 'escalate') return { ...verdict, reason: `${verdict.reason}; ${flow.reason}` };
    return { ...flow, ...(verdict.policy === undefined ? {} : { policy: verdict.policy }) };
  }

  #taint({ sessionId }: Action): { readonly taint?: Label } {
    const taint = this.#parts.labels.labelOf(sessionId);
    return taint === undefined ? {} : { taint };
  }

  /** No question is needed: the policy approves this action in its present form. */
  async #permit(action: AcceptedCall, verdict: Verdict, context: ActionContext): Promise<Authorisation> {
    const { changes } = await this.#foretell(action, context);
    const token = authorise(this.#parts.tokens, action, changesDigest(changes), 'policy', verdict);
    return { changes, token };
  }

  async #approve(
    action: AcceptedCall,
    verdict: Verdict,
    fixed: Verdict | undefined,
    trail: ActionTrail,
    context: ActionContext,
  ): Promise<Authorisation> {
    const { approvals, tokens, redaction } = this.#parts;
    const redact = (text: string) => redaction.redact(text);
    const plan = () => this.#parts.hostOf(action.tool).plan(hostCall(action), context.signal);
    const authorisation = await approveStep(action, {
      approvals,
      tokens,
      verdict,
      fixed,
      trail,
      context,
      redact,
      reason: await questionReason(action, verdict, plan),
      ownYes: verdict.ownYes === true || this.#runsUnboxed(action),
      foretell: () => this.#foretell(action, context),
    });
    context.doubtful.delete(likenessOf(action));
    return authorisation;
  }

  #runsUnboxed(action: Action): boolean {
    return uncontained(action, this.#parts)?.rule === UNBOXED;
  }

  /**
   * Checks before execution: the action is unchanged since judgement, leads to the same places, and
   * protection and flow allow it.
   *
   * @param objection of flow, as it was when the action was judged
   */
  #recheck(action: AcceptedCall, objection: Verdict | undefined): void {
    const { parsed, metadata } = action;
    if (canonicalForm(action.tool, parsed.arguments, metadata).hash !== action.hash) {
      throw new Refusal('the action changed after it was judged', true);
    }
    if (canonicalText(pathsOf(parsed, metadata.workingFolder)) !== canonicalText(metadata.paths)) {
      throw new Refusal('what the action refers to changed after it was judged', true);
    }
    const fixed = protect(action, this.#parts.placesOf(action.sessionId));
    if (fixed?.decision === 'block') throw new Refusal(refusalText(fixed), true);
    const verdict = objectionOf(this.#parts.labels.decide(action));
    // An approval covers the reasons shown, not reasons that arose while the question was pending.
    if (verdict === undefined) return;
    const { rule, reason } = verdict;
    if (verdict.decision === 'escalate' && objection?.rule === rule && objection.reason === reason) return;
    throw new Refusal(`what was read meanwhile speaks against it: ${verdict.reason}`, true);
  }

  async #foretell(action: AcceptedCall, { signal }: ActionContext): Promise<Foretold> {
    const { text, changes } = await foretell(action, this.#parts.hostOf(action.tool), signal);
    return { text: this.#parts.redaction.redact(text), changes };
  }

  /** A dry run: describes the effects, and whether a person would be asked. */
  async #describe(
    action: AcceptedCall,
    verdict: Verdict,
    trail: ActionTrail,
    { signal }: ActionContext,
  ): Promise<ActionOutcome> {
    const asks = verdict.decision === 'escalate';
    // A plan shows present content: a person must allow that, too.
    const plan: ToolPlan = asks
      ? { text: `It would need approval first: ${verdict.reason}.`, isError: false, changes: [] }
      : await this.#parts.hostOf(action.tool).plan(hostCall(action), signal);
    const text = `Dry run, nothing was done. ${plan.text}${foreseen(plan, action)}`;
    const result = redactResult({ text, isError: plan.isError }, this.#parts.redaction);
    trail.note('DESCRIBED');
    await trail.commit();
    const completed = {
      ...completedEvent(action, !plan.isError, 'described, not done'),
      dryRun: true as const,
    };
    return { result, refused: false, completed };
  }

  async #refuse(action: Action, trail: ActionTrail, error: unknown): Promise<ActionOutcome> {
    this.#parts.onError?.(error);
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
