import type { RecordOf } from '@bulkhead/protocol/records';
import type { StoredRecord } from '@bulkhead/sessions';

type Wrong = (what: string) => void;

/** Records that only a run may have. */
const OF_RUNS: ReadonlySet<string> = new Set([
  'agent_end',
  'turn_start',
  'turn_end',
  'message_start',
  'message_end',
  'tool_call',
  'tool_output',
  'action_started',
  'action_intent',
  'action_completed',
  'client_call',
  'shield_verdict',
  'approval_requested',
  'approval_decided',
  'retry_start',
  'retry_end',
  'run_resumed',
  'response_complete',
]);

/** The grammar of one run: what must be open for a record, and closed for the run's end [T6]. */
export class RunTracker {
  readonly id: string;
  readonly message: string;
  /** The session's leaf before the run: the parent of its first entry. */
  leafBefore: string | null | undefined;
  /**
   * True once a failed run must keep something: a call was answered, a steer joined, or the history
   * was compacted.
   */
  didSomething = false;
  #turn: number | undefined;
  #speaking: 'user' | 'assistant' | undefined;
  #retry: number | undefined;
  /** The announced attempt must not start earlier. */
  #retryDue = 0;
  #users = 0;
  readonly #calls = new Set<string>();
  readonly #actions = new Set<string>();
  readonly #questions = new Set<string>();

  static needsRun(type: string): boolean {
    return OF_RUNS.has(type);
  }

  constructor(id: string, message: string) {
    this.id = id;
    this.message = message;
  }

  /** @param now monotonic milliseconds */
  take(record: StoredRecord, now: number, wrong: Wrong): void {
    if (!OF_RUNS.has(record.type)) {
      if (record.type === 'compaction') this.didSomething = true;
      return;
    }
    if (record.turn !== this.id) wrong(`it is of run ${record.turn}, but ${this.id} is open`);
    if (record.entry !== null && this.leafBefore === undefined) this.leafBefore = record.parent;
    this.#takeInRun(record, now, wrong);
  }

  #takeInRun(record: StoredRecord, now: number, wrong: Wrong): void {
    switch (record.type) {
      case 'turn_start':
      case 'turn_end':
        this.#takeTurn(record.type, record.body.round, now, wrong);
        return;
      case 'message_start':
      case 'message_end':
        this.#takeMessage(record.type, record.body.role, wrong);
        return;
      case 'tool_call':
      case 'tool_output':
        this.#takeTool(record.type, record.body.call, wrong);
        return;
      case 'action_started':
      case 'action_intent':
      case 'action_completed':
        this.#takeAction(record.type, record.body.action, wrong);
        return;
      case 'approval_requested':
      case 'approval_decided':
        this.#takeApproval(record.type, record.body.approval, wrong);
        return;
      case 'retry_start':
      case 'retry_end':
        this.#takeRetry(record, now, wrong);
        return;
      case 'agent_end':
        this.#end(record.body.message, wrong);
        return;
      default:
    }
  }

  #takeTurn(type: string, round: number, now: number, wrong: Wrong): void {
    if (type === 'turn_start') {
      if (this.#turn !== undefined) wrong(`round ${this.#turn} is open`);
      if (this.#retry !== undefined && now < this.#retryDue)
        wrong(`it comes ${this.#retryDue - now} ms too early [E2]`);
      this.#turn = round;
      return;
    }
    if (this.#turn !== round) wrong(`the open round is ${this.#turn}`);
    if (this.#speaking !== undefined) wrong('a message is open');
    if (this.#calls.size > 0) wrong(`calls ${[...this.#calls].join()} have no result`);
    this.#turn = undefined;
  }

  #takeMessage(type: string, role: 'user' | 'assistant', wrong: Wrong): void {
    if (type === 'message_start') {
      if (this.#speaking !== undefined) wrong(`a message of ${this.#speaking} is open`);
      if (role === 'assistant' && this.#turn === undefined) wrong('no round is open');
      if (role === 'user' && this.#turn !== undefined) wrong('a round is open');
      this.#speaking = role;
      return;
    }
    if (this.#speaking !== role) wrong(`the open message is of ${this.#speaking}`);
    if (role === 'user') this.#users += 1;
    // The first message is the run's own; others joined it.
    if (this.#users > 1) this.didSomething = true;
    this.#speaking = undefined;
  }

  #takeTool(type: string, call: string, wrong: Wrong): void {
    if (this.#turn === undefined) wrong('no round is open');
    if (type === 'tool_call') {
      if (this.#calls.has(call)) wrong(`call ${call} is open`);
      this.#calls.add(call);
    } else if (type === 'tool_output') {
      if (!this.#calls.delete(call)) wrong(`call ${call} is not open`);
      this.didSomething = true;
    }
  }

  #takeAction(type: string, action: string, wrong: Wrong): void {
    if (this.#turn === undefined) wrong('no round is open');
    if (type === 'action_started') this.#actions.add(action);
    else if (!this.#actions.has(action)) wrong(`action ${action} is not open`);
    if (type === 'action_completed') this.#actions.delete(action);
  }

  #takeApproval(type: string, approval: string, wrong: Wrong): void {
    if (type === 'approval_requested') this.#questions.add(approval);
    else if (!this.#questions.delete(approval)) wrong(`question ${approval} is not open`);
  }

  #takeRetry({ type, body }: RecordOf<'retry_start' | 'retry_end'>, now: number, wrong: Wrong): void {
    if (type === 'retry_start') {
      if (this.#retry !== undefined) wrong('another retry is open');
      if (this.#turn !== undefined) wrong('a round is open');
      this.#retry = body.attempt;
      this.#retryDue = now + body.delayMs;
      return;
    }
    if (this.#retry !== body.attempt) wrong(`the open retry is ${this.#retry}`);
    this.#retry = undefined;
  }

  #end(message: string, wrong: Wrong): void {
    if (message !== this.message) wrong(`the run is of message ${this.message}`);
    if (this.#turn !== undefined) wrong('a round is open');
    if (this.#speaking !== undefined) wrong('a message is open');
    if (this.#retry !== undefined) wrong('a retry is open');
    if (this.#actions.size > 0) wrong(`actions ${[...this.#actions].join()} are open`);
    if (this.#questions.size > 0) wrong(`questions ${[...this.#questions].join()} are open`);
  }
}
