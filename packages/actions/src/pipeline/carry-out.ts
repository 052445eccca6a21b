import { suspensionOf, throwIfSuspended } from '@bulkhead/log/suspension/suspension';
import {
  type AcceptedCall,
  type Action,
  type ActionFate,
  describeError,
  type FileChange,
  faultPoint,
  type Redaction,
  type ToolHostCall,
  type ToolResult,
  type ToolUpdate,
} from '@bulkhead/protocol';
import type { ActionContext, ActionOutcome } from './action-context.ts';
import { completedEvent } from './action-events.ts';
import type { ActionTrail } from './action-trail.ts';
import { type Authorisation, spendFor } from './authorisation.ts';
import { hostCall } from './host-call.ts';
import { likenessOf } from './likeness.ts';
import { lookAtFiles } from './look-at-files.ts';
import { NeedStep } from './need-step.ts';
import type { PipelineParts } from './pipeline-parts.ts';
import { redactResult } from './redact-result.ts';
import { lossText, noSnapshotText, Refusal } from './refusal.ts';
import { SettleStep } from './settle-step.ts';
import { summaryOf } from './summary-of.ts';
import { uncontained } from './uncontained.ts';

type CarryOutParts = Pick<
  PipelineParts,
  | 'approvals'
  | 'everyCommandAsks'
  | 'hostOf'
  | 'labels'
  | 'onError'
  | 'redaction'
  | 'snapshots'
  | 'timers'
  | 'tokens'
>;

/**
 * Executes an action that was judged, allowed and checked again: takes a snapshot, announces the
 * action, executes it, and reports the outcome. The snapshot is on the disk before the
 * announcement, and the announcement before the effect.
 */
export class CarryOut {
  readonly #parts: CarryOutParts;
  readonly #declined = new Set<string>();

  constructor(parts: CarryOutParts) {
    this.#parts = parts;
  }

  /**
   * Takes a snapshot before, and observes the changes after, even if the action was refused in
   * between, or failed. The token is used up before the announcement: after a crash, it cannot
   * start an announced action again (FR6).
   *
   * @throws Refusal as long as nothing has happened
   * @throws Suspension if the engine stops before the action starts, or before it ends
   */
  async run(
    action: AcceptedCall,
    authorisation: Authorisation,
    trail: ActionTrail,
    context: ActionContext,
  ): Promise<ActionOutcome> {
    const { snapshots, tokens } = this.#parts;
    const { changes, token } = authorisation;
    const call = hostCall(action);
    try {
      await this.#keep(action, changes);
      throwIfSuspended(context.stopping);
      if (context.signal.aborted) throw new Refusal('The run was cancelled. Nothing was done.', false);
      spendFor(tokens, authorisation, call);
      this.#announce(action, changes, context);
      const { effect } = action.metadata;
      const held = action.metadata.background === true && this.#isSettled(action) ? { held: true } : {};
      trail.note('STARTED', { nonce: token.nonce, effect, likeness: likenessOf(action), ...held });
      await trail.commit();
      return await this.#execute(action, call, authorisation, trail, context);
    } finally {
      await snapshots.finish(action);
    }
  }

  /** @param policy version of the policy that judged the action */
  needsOf(action: Action, policy: string, trail: ActionTrail, context: ActionContext): NeedStep {
    const parts = { ...this.#parts, declined: this.#declined };
    return new NeedStep(parts, action, policy, trail, context);
  }

  async #keep(action: Action, changes: readonly FileChange[]): Promise<void> {
    try {
      faultPoint('snapshot.begun');
      await this.#parts.snapshots.take(action, changes, this.#parts.hostOf(action.tool).folder);
      faultPoint('snapshot.kept');
    } catch (error) {
      throw new Refusal(`${noSnapshotText(error)}. Nothing was done.`, false);
    }
  }

  /**
   * Writes the intent to the session's log before STARTED to the audit log: an action started in
   * the audit log is always announced in the session, even after a crash.
   */
  #announce(action: Action, changes: readonly FileChange[], context: ActionContext): void {
    const { id, callId, hash, tool, metadata } = action;
    faultPoint('intent.before');
    const likeness = likenessOf(action);
    const { effect } = metadata;
    const transaction = this.#isSettled(action) ? ({ transaction: true } as const) : {};
    context.intend({ action: id, call: callId, hash, likeness, tool, effect, ...transaction, changes });
    faultPoint('intent.after');
  }

  /** True for a command whose effects are all held back until they are settled. */
  #isSettled(action: Action): boolean {
    const isHeldBack =
      action.metadata.command !== undefined &&
      action.metadata.granted === undefined &&
      uncontained(action, this.#parts) === undefined;
    return isHeldBack && this.#parts.hostOf(action.tool).transactions === true;
  }

  /**
   * From here on the action may have an effect: it ends as EXECUTED or FAILED, never as refused.
   */
  async #execute(
    action: Action,
    call: ToolHostCall,
    { changes, token }: Authorisation,
    trail: ActionTrail,
    context: ActionContext,
  ): Promise<ActionOutcome> {
    faultPoint('effect.begun');
    const offer = this.needsOf(action, token.policy, trail, context);
    const step = new SettleStep(this.#parts, { action, policy: token.policy, trail, context, offer });
    const { command } = action.metadata;
    const isLive = command !== undefined && !this.#isSettled(action);
    const perform = () => this.#perform(action, call, changes, step, context);
    const { fate, ...performed } = await this.#labelled(action, isLive, perform);
    await this.#parts.snapshots.finish(action);
    step.rethrow();
    const suspension = suspensionOf(context.signal);
    if (suspension !== undefined && !isDone(performed)) throw suspension;
    if (performed.effects?.kept === true) step.kept();
    const result = redactResult(performed, this.#parts.redaction);
    faultPoint('effect.done');
    trail.note(result.isError ? 'FAILED' : 'EXECUTED', {
      bytes: Buffer.byteLength(result.text),
      ...(result.reached === undefined ? {} : { reached: result.reached }),
    });
    await trail.commit();
    const left = fate === undefined && command !== undefined ? leftOf(result, isLive) : undefined;
    const completed = {
      ...completedEvent(action, !result.isError, summaryOf(action, result)),
      ...factsOf(result),
      ...(fate === undefined ? {} : { fate }),
      ...(left === undefined ? {} : { left }),
    };
    const { repeat } = offer;
    return { result, refused: step.refused, completed, ...(repeat === undefined ? {} : { repeat }) };
  }

  /** Labels what a command may write where its changes are not settled. */
  async #labelled<Result extends ToolResult>(
    action: Action,
    isLive: boolean,
    perform: () => Promise<Result>,
  ): Promise<Result> {
    const { labels } = this.#parts;
    const { command, background } = action.metadata;
    if (command !== undefined) {
      labels.boxBegun(action);
      labels.goingOn.begun(action);
    }
    if (isLive) labels.liveBegun(action);
    const performed = await perform();
    // The handler of a background command's end calls these.
    if (performed.goesOn !== undefined || (background === true && !performed.isError)) return performed;
    labels.goingOn.over(action.id);
    await labels.boxEnded(action.id);
    if (isLive) await labels.liveEnded(action.id);
    return performed;
  }

  /** @returns the result and, if the executor was lost, the known state of the action */
  async #perform(
    action: Action,
    call: ToolHostCall,
    changes: readonly FileChange[],
    step: SettleStep,
    context: ActionContext,
  ): Promise<ToolResult & { readonly fate?: ActionFate }> {
    const host = this.#parts.hostOf(action.tool);
    try {
      using updates = redactUpdates(context.update, this.#parts.redaction);
      return await host.execute(call, updates.push, context.signal, (effects) => step.settle(effects));
    } catch (error) {
      throwIfSuspended(context.signal);
      this.#parts.onError?.(error);
      if (action.metadata.effect === 'pure') return { text: describeError(error), isError: true };
      const fate = await lookAtFiles(changes, host, call, this.#parts.timers);
      if (fate === 'unknown') context.doubtful.add(likenessOf(action));
      return { text: lossText(fate, error), isError: fate !== 'executed', fate };
    }
  }
}

/**
 * True for an action that completed while the engine stops: not interrupted, effects not dropped.
 */
function isDone({ isError, effects }: ToolResult): boolean {
  return !isError || (effects?.kept === true && effects.created + effects.changed + effects.deleted > 0);
}

/** Facts of a result besides its text. */
function factsOf({ effects, needs, reached }: ToolResult): Pick<ToolResult, 'effects' | 'needs' | 'reached'> {
  return {
    ...(effects === undefined ? {} : { effects }),
    ...(needs === undefined ? {} : { needs }),
    ...(reached === undefined ? {} : { reached }),
  };
}

/** Possible remains of a command. @param isLive some effects cannot be held back until it ends */
function leftOf({ isError, effects }: ToolResult, isLive: boolean): 'nothing' | 'unknown' | undefined {
  if (!isError) return undefined;
  if (isLive) return 'unknown';
  return effects?.kept === true ? undefined : 'nothing';
}

/**
 * Partial output without secrets. Text that may be the start of a secret is held back, at most
 * until disposal, which precedes the result.
 */
function redactUpdates(update: ToolUpdate, redaction: Redaction): Disposable & { readonly push: ToolUpdate } {
  const stream = redaction.redactor();
  const pass = (text: string): void => {
    if (text !== '') update(text);
  };
  return {
    push: (text) => pass(stream.push(text)),
    [Symbol.dispose]: () => pass(stream.end()),
  };
}
