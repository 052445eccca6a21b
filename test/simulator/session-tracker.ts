import type { StateName } from '@bulkhead/protocol';
import type { RecordBody, RecordOf } from '@bulkhead/protocol/records';
import { type RecordPlace, readMessage, type StoredRecord } from '@bulkhead/sessions';
import { RunTracker } from './run-tracker.ts';

/** Allowed state transitions, from the requirement [L7]: not taken from the checked code. */
const TABLE: Readonly<Record<StateName, readonly StateName[]>> = {
  idle: ['thinking'],
  thinking: ['executing', 'idle', 'compacting', 'aborting', 'error'],
  executing: ['thinking', 'idle', 'aborting', 'error'],
  compacting: ['thinking', 'idle', 'aborting', 'error'],
  aborting: ['idle'],
  error: ['idle'],
};

/** One accepted message, as far as the log shows. */
export interface TrackedInput {
  readonly pos: number;
  readonly delivery: string;
  started: boolean;
  entries: number;
  outcome: string | undefined;
  /** Code of its failure. */
  error: string | undefined;
  /** The message whose run it joined. */
  joined: string;
}

/** One action, as far as the log shows. */
export interface TrackedAction {
  readonly id: string;
  readonly call: string;
  readonly run: string;
  readonly hash: string;
  readonly pos: number;
  intent: boolean;
  intentPos: number;
  allowed: boolean;
  completed: RecordBody<'action_completed'> | undefined;
}

/** Reads a session's log record by record and reports each violation immediately. */
export class SessionTracker {
  readonly id: string;
  readonly inputs = new Map<string, TrackedInput>();
  readonly actions = new Map<string, TrackedAction>();
  readonly #report: (violation: string) => void;
  #run: RunTracker | undefined;
  #ended: RunTracker | undefined;
  #state: StateName = 'idle';
  /** The session's after the last commit; undefined if unknown. */
  #leaf: string | null | undefined = null;
  #lastFollowUp = 0;
  #seq = 0;
  lastPos = 0;

  constructor(id: string, report: (violation: string) => void) {
    this.id = id;
    this.#report = report;
  }

  /** The active run. */
  get run(): RunTracker | undefined {
    return this.#run;
  }

  /**
   * @param leaf the session's after the commit that holds the record; undefined if no longer known
   * @param now monotonic milliseconds
   */
  take(record: StoredRecord, leaf: string | null | undefined, now: number): void {
    const wrong = (what: string): void =>
      this.#report(`session ${this.id}, record ${record.pos} (${record.type}): ${what}`);
    this.#number(record, wrong);
    this.#takeInput(record, wrong);
    this.#takeAction(record, wrong);
    if (record.type === 'agent_start') this.#startRun(record, wrong);
    else if (this.#run !== undefined) this.#takeInRun(this.#run, record, now, wrong);
    else if (RunTracker.needsRun(record.type)) wrong('it is outside a run');
    if (record.type === 'state_change') this.#changeState(record.body, wrong);
    if (record.type === 'settled') this.#settle(record, leaf, wrong);
    if (record.type === 'agent_end') this.#endRun();
    if (record.type === 'idle') this.#idle(wrong);
  }

  /** Everything in one commit was accepted. */
  committed(leaf: string | null | undefined): void {
    this.#leaf = leaf;
  }

  #number({ pos, seq }: StoredRecord, wrong: (what: string) => void): void {
    if (pos !== this.lastPos + 1) wrong(`its position follows ${this.lastPos}`);
    this.lastPos = pos;
    if (seq === null) return;
    if (seq !== this.#seq + 1) wrong(`its seq ${seq} follows ${this.#seq}`);
    this.#seq = seq;
  }

  #takeInput(record: StoredRecord, wrong: (what: string) => void): void {
    const { messageId, pos } = record;
    if (record.type === 'input_accepted' && messageId !== null) {
      const { delivery = 'follow_up' } = record.body;
      this.inputs.set(messageId, {
        pos,
        delivery,
        started: false,
        entries: 0,
        outcome: undefined,
        error: undefined,
        joined: '',
      });
    }
    if (record.type !== 'message_end' || record.body.role !== 'user') return;
    const { role } = readMessage(record.body);
    // A message contains its own id, because a check must not depend on the code that it checks.
    const sent = role.case === 'user' ? role.value.text.replace('about ', '') : '';
    const input = this.inputs.get(sent);
    if (input === undefined) {
      wrong(`nobody sent the message ${sent}`);
      return;
    }
    input.entries += 1;
    input.joined = this.#run?.message ?? '';
    if (input.entries > 1) wrong('the message is an entry already');
  }

  #takeAction(record: StoredRecord, wrong: (what: string) => void): void {
    const { pos, turn: run } = record;
    switch (record.type) {
      case 'action_started': {
        const { action: id, call, hash } = record.body;
        if (this.actions.has(id)) wrong('the action was started before');
        const nothing = { intent: false, intentPos: 0, allowed: false, completed: undefined };
        this.actions.set(id, { id, call, hash, run, pos, ...nothing });
        return;
      }
      case 'action_intent': {
        const action = this.#started(record.body.action, wrong);
        if (action !== undefined) Object.assign(action, { intent: true, intentPos: pos });
        return;
      }
      case 'approval_decided': {
        const action = this.actions.get(record.body.action);
        if (action !== undefined && record.body.decision === 'allow') action.allowed = true;
        return;
      }
      case 'action_completed': {
        const action = this.#started(record.body.action, wrong);
        if (action === undefined) return;
        if (action.completed !== undefined) wrong('the action was completed before');
        action.completed = record.body;
        return;
      }
      default:
    }
  }

  #started(id: string, wrong: (what: string) => void): TrackedAction | undefined {
    const action = this.actions.get(id);
    if (action === undefined) wrong('the action was not started');
    return action;
  }

  #startRun(record: RecordPlace & RecordOf<'agent_start'>, wrong: (what: string) => void): void {
    const { message } = record.body;
    const input = this.inputs.get(message);
    if (this.#run !== undefined) wrong(`run ${this.#run.id} has not ended`);
    this.#run = new RunTracker(record.turn, message);
    if (input === undefined) {
      wrong(`nobody sent the message ${message}`);
      return;
    }
    if (input.started || input.outcome !== undefined) wrong(`message ${message} is run twice`);
    input.started = true;
    if (input.delivery !== 'follow_up') return;
    if (input.pos < this.#lastFollowUp) wrong('a follow-up that came later was started before it');
    this.#lastFollowUp = input.pos;
  }

  #changeState({ from, to }: RecordBody<'state_change'>, wrong: (what: string) => void): void {
    if (from !== this.#state) wrong(`it leaves ${from}, but the session is ${this.#state}`);
    if (!TABLE[from].includes(to)) wrong(`${from} can't become ${to}`);
    this.#state = to;
  }

  #takeInRun(run: RunTracker, record: StoredRecord, now: number, wrong: (what: string) => void): void {
    const isFirst = record.entry !== null && run.leafBefore === undefined;
    run.take(record, now, wrong);
    if (isFirst && this.#leaf !== undefined && record.parent !== this.#leaf) {
      wrong(`the run begins below ${record.parent}, but the session stands at ${this.#leaf}`);
    }
  }

  #endRun(): void {
    this.#ended = this.#run;
    this.#run = undefined;
  }

  #settle(
    record: RecordPlace & RecordOf<'settled'>,
    leaf: string | null | undefined,
    wrong: (what: string) => void,
  ): void {
    const input = this.inputs.get(record.messageId ?? '');
    if (input === undefined) {
      wrong('nobody sent that message');
      return;
    }
    if (input.outcome !== undefined) wrong(`it was settled as ${input.outcome} before`);
    input.outcome = record.body.outcome;
    const { code, message } = record.body.error ?? {};
    input.error = code;
    // No failure in this world is the engine's own error, or that of an agent with the real loop.
    if (code === 'internal' || code === 'protocol_violation') wrong(`it failed with ${code}: ${message}`);
    const run = this.#ended;
    if (run?.message !== record.messageId) return;
    const ends = input.outcome === 'failed' && !run.didSomething;
    if (ends && leaf !== undefined && leaf !== run.leafBefore) {
      wrong(`the run failed and did nothing, so the leaf belongs at ${run.leafBefore}, not at ${leaf} [E4]`);
    }
  }

  #idle(wrong: (what: string) => void): void {
    if (this.#state !== 'idle') wrong(`the session is ${this.#state}`);
    const open = [...this.inputs].filter(([, { outcome }]) => outcome === undefined).map(([id]) => id);
    if (open.length > 0) wrong(`messages ${open.join()} are not settled`);
  }
}
