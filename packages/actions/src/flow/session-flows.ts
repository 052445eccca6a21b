import { type Action, BulkheadError, type Clock, transactionFolder } from '@bulkhead/protocol';
import type { SessionStore } from '@bulkhead/sessions';
import {
  type Flow,
  type FlowCall,
  type FlowSession,
  type FlowVerdict,
  joinLabels,
  type Label,
  type LabelStore,
  needsLabel,
} from '@bulkhead/shield';
import { GoingOn } from '../pipeline/going-on.ts';
import type { ActionFacts, FlowDecision, LabelStage } from '../pipeline/stages.ts';
import type { BoxLabels } from './box-labels.ts';
import type { LabelTables } from './label-tables.ts';
import type { LiveCommand } from './live-commands.ts';
import { NOTHING_KEPT } from './nothing-kept.ts';
import type { ReplayLabels } from './replay-labels.ts';
import { SessionFold } from './session-fold.ts';

/** Maximum of folds in memory; other sessions are read from their logs again. */
const KEPT = 64;
/** Changed paths of one command that get separate labels. */
const MANY_PATHS = 200;

export interface SessionFlowsParts {
  /** The flow over `labels` by the rules in force; another object after the rules change. */
  flow(): Flow;
  readonly labels: ReplayLabels;
  /** Labels of logs, of displaced objects and of commands that write unseen; a log's change is one with how far it was read. */
  readonly tables: Pick<LabelTables, 'history' | 'displaced' | 'live' | 'together'> & {
    readonly boxes: Pick<BoxLabels, 'begun' | 'ended' | 'raise'>;
  };
  readonly store: Pick<SessionStore, 'records' | 'lastPos' | 'getSession'>;
  /** Labels of sessions by id: for reads before the part of the log that the fold reads [F2]. */
  readonly sessions: LabelStore;
  readonly clock: Pick<Clock, 'now'>;
  /** The changes below a folder; undefined if unknown. */
  changedSince(
    folder: string,
    since: number,
    known: readonly string[],
  ): Promise<readonly string[] | undefined>;
  /** The current paths and hosts of an action, with the reads of its command. */
  factsOf(action: Action): ActionFacts;
  /** The same for a logged call without facts; undefined if no tool accepts the call. */
  derive(call: FlowCall, workingFolder: string): FlowCall['metadata'];
}

interface Open {
  /** The rules at the time its log was read. */
  readonly rules: Flow;
  readonly flow: FlowSession;
  readonly fold: SessionFold;
}

/** A past action, as flow judges it by the reads before it. */
export interface ExplainedAction {
  readonly call: FlowCall;
  readonly verdict: FlowVerdict;
  readonly label: Label;
}

/**
 * Information flow of every session. Labels are its only state: it reads each session's log, so it
 * knows what the model has read and does not rely on the agent.
 */
export class SessionFlows implements LabelStage {
  readonly goingOn = new GoingOn();
  readonly #parts: SessionFlowsParts;
  readonly #open = new Map<string, Open>();
  readonly #facts = new WeakMap<Action, ActionFacts>();

  constructor(parts: SessionFlowsParts) {
    this.#parts = parts;
  }

  /**
   * Labels the writes of sessions that the last engine had not labelled. Call once, before any
   * judgement.
   * @returns errors of unreadable sessions; these sessions cannot act
   */
  catchUp(): readonly BulkheadError[] {
    const { store, tables } = this.#parts;
    const { history } = tables;
    const problems: BulkheadError[] = [];
    for (const id of history.sessions()) {
      try {
        if (store.getSession(id) === undefined) continue;
        const last = store.lastPos(id);
        // A power loss may take the end of a log; its replacement is new.
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
    const { tool, arguments: args } = action;
    const metadata = this.factsOf(action);
    const verdict = this.#current(action.sessionId).decide({ tool, arguments: args, metadata });
    const { audited, decision, reason } = verdict;
    const rule = `flow/${verdict.rule}`;
    if (audited !== undefined) return { says: 'audit', decision: audited, rule };
    if (decision === 'allow') return { says: 'allow' };
    return { says: 'object', verdict: { decision, tier: 0, rule, reason, confidence: 1 } };
  }

  /** Reads a command once, even if its action is judged several times. */
  factsOf(action: Action): ActionFacts {
    const facts = this.#facts.get(action) ?? this.#parts.factsOf(action);
    this.#facts.set(action, facts);
    return facts;
  }

  labelOf(sessionId: string): Label {
    return this.#current(sessionId).label;
  }

  told(sessionId: string): void {
    this.#current(sessionId);
  }

  wrote(action: Action, paths: readonly string[]): void {
    // Each path is a row on the disk: if there are very many, the folder gets the label.
    const folder = transactionFolder(action.metadata);
    const label = this.#labelOfWrites(action);
    this.#parts.labels.by(action.id, () => this.#raise(paths, folder, label));
  }

  deleted(action: Action, paths: readonly string[]): void {
    const { labels } = this.#parts;
    labels.by(action.id, () => {
      for (const path of paths) labels.files.remove(path);
    });
  }

  boxBegun(action: Action): void {
    if (this.#parts.store.getSession(action.sessionId)?.offTheRecord !== false) return;
    this.#parts.tables.boxes.begun(action, this.#labelOfWrites(action));
  }

  boxEnded(actionId: string): Promise<void> {
    return this.#parts.tables.boxes.ended(actionId);
  }

  liveBegun(action: Action): void {
    const { clock, tables } = this.#parts;
    const label = this.#labelOfWrites(action);
    const { id, sessionId: session, metadata } = action;
    tables.live.put({ action: id, session, folder: metadata.workingFolder, label, since: clock.now() });
  }

  async liveEnded(actionId: string): Promise<void> {
    const { labels, clock, changedSince } = this.#parts;
    const { live } = this.#parts.tables;
    const command = live.all().find(({ action }) => action === actionId);
    if (command === undefined) return;
    const { folder, since } = command;
    const isOf = ({ action }: LiveCommand): boolean => action === actionId;
    if (needsLabel(command.label)) {
      const known = labels.files.entries(folder).map(([key]) => key);
      // If the clock was set back, times prove nothing.
      const changed = clock.now() < since ? undefined : await changedSince(folder, since, known);
      // Its session may have read more during the search.
      const label = live.all().find(isOf)?.label ?? command.label;
      this.#raise(changed ?? [folder], folder, label);
    }
    live.remove(actionId);
  }

  /**
   * Labels the writes of commands that a crash interrupted. Call once, before any judgement.
   * @returns errors of commands that could not be labelled: their whole folders keep the label
   */
  async endLive(): Promise<readonly BulkheadError[]> {
    const problems: BulkheadError[] = [];
    for (const { action } of this.#parts.tables.live.all()) {
      await this.liveEnded(action).catch((error: unknown) => problems.push(BulkheadError.from(error)));
    }
    return problems;
  }

  #labelOfWrites(action: Action): Label {
    const { tool, arguments: args, sessionId } = action;
    return this.#current(sessionId).labelOfWrites({ tool, arguments: args, metadata: this.factsOf(action) });
  }

  #raise(paths: readonly string[], folder: string, label: Label): void {
    const { files } = this.#parts.labels;
    if (!needsLabel(label)) return;
    for (const path of paths.length > MANY_PATHS ? [folder] : paths)
      files.set(path, joinLabels(files.get(path) ?? label, label));
  }

  /**
   * Called before files return to their state before some actions: they get their old labels in
   * addition to the present ones.
   * @param rollback the action that restores, which may itself be undone
   * @param undoes the oldest first
   */
  restoring(rollback: string, undoes: readonly string[], paths: readonly string[]): void {
    const { files } = this.#parts.labels;
    this.#setBefore(rollback, undoes, paths, (path, label) => {
      if (label !== undefined) files.set(path, joinLabels(files.get(path) ?? label, label));
    });
  }

  /** Called after the restore: only the old labels stay. */
  restored(rollback: string, undoes: readonly string[], paths: readonly string[]): void {
    this.#setBefore(rollback, undoes, paths, (path, label) => this.#parts.labels.files.set(path, label));
  }

  #setBefore(
    rollback: string,
    undoes: readonly string[],
    paths: readonly string[],
    set: (path: string, label: Label | undefined) => void,
  ): void {
    const { labels, tables } = this.#parts;
    labels.by(rollback, () => {
      for (const path of paths) {
        const before = tables.displaced.before(undoes, path);
        if (before !== undefined) set(path, before.label);
      }
    });
  }

  /** Deletes the notes of actions that can no longer be undone. */
  keepOnly(actions: ReadonlySet<string>): void {
    this.#parts.tables.displaced.keepOnly(actions);
  }

  /** Changes nothing. Undefined if the session had no such action. */
  explain(sessionId: string, actionId: string): ExplainedAction | undefined {
    const { flow, fold } = this.#start(sessionId, true);
    fold.advance(flow, actionId);
    const call = fold.callOf(actionId);
    return call && { call, verdict: flow.decide(call), label: flow.label };
  }

  /** Drops the in-memory state of a deleted session [D4]. Its files keep their labels. */
  forget(sessionId: string): void {
    this.#open.delete(sessionId);
    this.#parts.sessions.set(sessionId, undefined);
  }

  #current(sessionId: string): FlowSession {
    const open = this.#open.get(sessionId);
    // After a change of rules, the log is read again: the label stays, because it only rises.
    if (open !== undefined && open.rules !== this.#parts.flow()) this.#advance(sessionId);
    const known = open?.rules === this.#parts.flow() ? open : this.#start(sessionId, false);
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
    this.#parts.tables.together(() => {
      if (known.fold.advance(known.flow)) this.#keepLabel(sessionId, known.flow.label);
    });
  }

  #start(sessionId: string, isPast: boolean): Open {
    const { store, labels, sessions } = this.#parts;
    const rules = this.#parts.flow();
    const session = store.getSession(sessionId);
    const workingFolder = session?.workingFolder ?? '/';
    const history = session?.offTheRecord === false ? this.#parts.tables.history : NOTHING_KEPT;
    const derive = (call: FlowCall) => this.#parts.derive(call, workingFolder);
    const fold = new SessionFold({ store, labels, history, derive }, sessionId, isPast);
    return { rules, flow: rules.open(undefined, isPast ? undefined : sessions.get(sessionId)), fold };
  }

  #keepLabel(sessionId: string, label: Label): void {
    for (const command of this.#parts.tables.live.all()) {
      if (command.session !== sessionId) continue;
      this.#parts.tables.live.put({ ...command, label: joinLabels(command.label, label) });
    }
    this.#parts.tables.boxes.raise(sessionId, label);
    if (this.#parts.store.getSession(sessionId)?.offTheRecord !== false) return;
    const stored = this.#parts.sessions.get(sessionId);
    if (stored?.secrecy !== label.secrecy || stored.trust !== label.trust) {
      this.#parts.sessions.set(sessionId, label);
    }
  }
}
