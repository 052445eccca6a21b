import type { Action, Verdict } from '@bulkhead/protocol';
import type { SessionStore } from '@bulkhead/sessions';
import type { Flow, FlowCall, FlowSession, FlowVerdict, Label, LabelStore } from '@bulkhead/shield';
import type { FlowDecision, LabelStage } from '../pipeline/stages.ts';
import { SessionFold } from './session-fold.ts';

/** Sessions whose fold is kept; another is read from its log again. */
const KEPT = 64;

export interface SessionFlowsParts {
  readonly flow: Flow;
  /** The same over a copy of the labels: what it is told changes nothing. */
  detached(): Flow;
  readonly store: Pick<SessionStore, 'records' | 'lastPos' | 'getSession'>;
  /** Labels of sessions by id: what was read before the part of the log that the fold reads [F2]. */
  readonly sessions: LabelStore;
  /** The facts of a call as the engine derives them; undefined for a call that no tool accepts. */
  facts(call: FlowCall, workingFolder: string): FlowCall['metadata'];
}

interface Open {
  readonly flow: FlowSession;
  readonly fold: SessionFold;
}

/**
 * Information flow of every session that acts. It has no state of its own but labels: each session is read from its log, so it
 * knows what the model has read, and nothing the agent says of itself.
 */
export class SessionFlows implements LabelStage {
  readonly name = 'information flow labels';
  readonly present = true;
  readonly #parts: SessionFlowsParts;
  readonly #open = new Map<string, Open>();

  constructor(parts: SessionFlowsParts) {
    this.#parts = parts;
  }

  decide(action: Action): FlowDecision {
    const flow = this.#current(action.sessionId);
    const verdict = flow.decide(action);
    const { audited, decision, reason } = verdict;
    const rule = `flow/${verdict.rule}`;
    if (audited !== undefined) return { audited: { decision: audited, rule } };
    if (decision === 'allow') return {};
    return { verdict: { decision, tier: 0, rule, reason, confidence: 1 } satisfies Verdict };
  }

  labelOf(sessionId: string): Label {
    return this.#current(sessionId).label;
  }

  wrote(sessionId: string, paths: readonly string[]): void {
    this.#current(sessionId).observeWrites(paths);
  }

  /** The verdict on an action of the past, judged from what had been read then; undefined if the session had no such action. */
  explain(
    sessionId: string,
    actionId: string,
  ): { readonly call: FlowCall; readonly verdict: FlowVerdict } | undefined {
    const flow = this.#parts.detached();
    const whole = this.#start(flow, sessionId);
    whole.fold.advance(whole.flow);
    const call = whole.fold.callOf(actionId);
    if (call === undefined) return undefined;
    const then = this.#start(flow, sessionId);
    then.fold.advance(then.flow, whole.fold.callIdOf(actionId));
    return { call, verdict: then.flow.decide(call) };
  }

  /** Drops what is kept of a session: after a person changed its log, or deleted it. */
  forget(sessionId: string): void {
    this.#open.delete(sessionId);
  }

  #current(sessionId: string): FlowSession {
    const known =
      this.#open.get(sessionId) ??
      this.#start(this.#parts.flow, sessionId, this.#parts.sessions.get(sessionId));
    this.#open.delete(sessionId);
    this.#open.set(sessionId, known);
    const [oldest] = this.#open.keys();
    if (this.#open.size > KEPT && oldest !== undefined) this.#open.delete(oldest);
    known.fold.advance(known.flow);
    this.#keepLabel(sessionId, known.flow.label);
    return known.flow;
  }

  #start(flow: Flow, sessionId: string, label?: Label): Open {
    const { store } = this.#parts;
    const workingFolder = store.getSession(sessionId)?.workingFolder ?? '/';
    const fold = new SessionFold(store, sessionId, (call) => this.#parts.facts(call, workingFolder));
    return { flow: flow.open(undefined, label), fold };
  }

  #keepLabel(sessionId: string, label: Label): void {
    if (this.#parts.store.getSession(sessionId)?.offTheRecord !== false) return;
    const stored = this.#parts.sessions.get(sessionId);
    if (stored?.secrecy !== label.secrecy || stored.trust !== label.trust) {
      this.#parts.sessions.set(sessionId, label);
    }
  }
}
