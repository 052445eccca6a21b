import { type Action, BulkheadError, type Verdict } from '@bulkhead/protocol';
import type { SessionStore } from '@bulkhead/sessions';
import type { Flow, FlowCall, FlowSession, FlowVerdict, Label, LabelStore } from '@bulkhead/shield';
import type { FlowDecision, LabelStage } from '../pipeline/stages.ts';
import type { LabelHistory } from './label-history.ts';
import type { ReplayLabels } from './replay-labels.ts';
import { SessionFold, type SessionFoldParts } from './session-fold.ts';

/** Sessions whose fold is kept; another is read from its log again. */
const KEPT = 64;

/** Changed paths of one command that are labelled one by one. */
const MANY_PATHS = 200;

/** Off the record: nothing of it changes a file, and nothing of it is kept. */
const NOTHING_KEPT: SessionFoldParts['history'] = {
  toldUpTo: () => 0,
  tell: () => {},
  met: () => undefined,
  meet: () => {},
};

export interface SessionFlowsParts {
  /** Over `labels`. */
  readonly flow: Flow;
  readonly labels: ReplayLabels;
  readonly history: LabelHistory;
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

/** An action of the past, as flow judges it from what had been read then. */
export interface ExplainedAction {
  readonly call: FlowCall;
  readonly verdict: FlowVerdict;
  readonly label: Label;
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

  /**
   * Labels what sessions wrote before the engine ended and was not labelled yet. Once, before anything is judged.
   * @returns what is wrong with sessions that can't be read; they can't act either
   */
  catchUp(): readonly BulkheadError[] {
    const { history, store } = this.#parts;
    const problems: BulkheadError[] = [];
    for (const id of history.sessions()) {
      try {
        if (store.getSession(id) === undefined) continue;
        const last = store.lastPos(id);
        // The last of a log can be lost with the power; what takes its place is new.
        if (history.toldUpTo(id) === last) continue;
        if (history.toldUpTo(id) < last) this.#current(id);
        history.tell(id, last);
      } catch (error) {
        problems.push(BulkheadError.from(error));
      }
    }
    return problems;
  }

  decide(action: Action): FlowDecision {
    const verdict = this.#current(action.sessionId).decide(action);
    const { audited, decision, reason } = verdict;
    const rule = `flow/${verdict.rule}`;
    if (audited !== undefined) return { audited: { decision: audited, rule } };
    if (decision === 'allow') return {};
    return { verdict: { decision, tier: 0, rule, reason, confidence: 1 } satisfies Verdict };
  }

  labelOf(sessionId: string): Label {
    return this.#current(sessionId).label;
  }

  told(sessionId: string): void {
    this.#current(sessionId);
  }

  wrote(sessionId: string, paths: readonly string[]): void {
    // Each is a row on the disk, and is looked through by every command: of very many, the folder stands for all.
    const folder = this.#parts.store.getSession(sessionId)?.workingFolder;
    const many = paths.length > MANY_PATHS && folder !== undefined;
    this.#current(sessionId).observeWrites(many ? [folder] : paths);
  }

  /** Changes nothing. Undefined if the session had no such action. */
  explain(sessionId: string, actionId: string): ExplainedAction | undefined {
    const { flow, fold } = this.#start(sessionId, true);
    fold.advance(flow, actionId);
    const call = fold.callOf(actionId);
    return call && { call, verdict: flow.decide(call), label: flow.label };
  }

  /** Drops all that is known of a session that was deleted [D4]. What it wrote keeps its labels. */
  forget(sessionId: string): void {
    this.#open.delete(sessionId);
    this.#parts.sessions.set(sessionId, undefined);
    this.#parts.history.forget(sessionId);
  }

  #current(sessionId: string): FlowSession {
    const known = this.#open.get(sessionId) ?? this.#start(sessionId, false);
    this.#open.delete(sessionId);
    this.#open.set(sessionId, known);
    const [oldest] = this.#open.keys();
    if (this.#open.size > KEPT && oldest !== undefined) {
      this.#advance(oldest);
      this.#open.delete(oldest);
    }
    this.#advance(sessionId);
    return known.flow;
  }

  #advance(sessionId: string): void {
    const known = this.#open.get(sessionId);
    if (known === undefined) return;
    if (known.fold.advance(known.flow)) this.#keepLabel(sessionId, known.flow.label);
  }

  #start(sessionId: string, isPast: boolean): Open {
    const { store, labels, flow, sessions } = this.#parts;
    const session = store.getSession(sessionId);
    const workingFolder = session?.workingFolder ?? '/';
    const history = session?.offTheRecord === false ? this.#parts.history : NOTHING_KEPT;
    const facts = (call: FlowCall) => this.#parts.facts(call, workingFolder);
    const fold = new SessionFold({ store, labels, history, facts }, sessionId, isPast);
    return { flow: flow.open(undefined, isPast ? undefined : sessions.get(sessionId)), fold };
  }

  #keepLabel(sessionId: string, label: Label): void {
    if (this.#parts.store.getSession(sessionId)?.offTheRecord !== false) return;
    const stored = this.#parts.sessions.get(sessionId);
    if (stored?.secrecy !== label.secrecy || stored.trust !== label.trust) {
      this.#parts.sessions.set(sessionId, label);
    }
  }
}
