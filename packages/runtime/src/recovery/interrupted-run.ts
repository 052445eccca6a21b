import { OpenActions } from '@bulkhead/log/agreement/open-actions';
import { callsOf, NO_USAGE } from '@bulkhead/log/session/message-view';
import { withheldCalls } from '@bulkhead/log/session/withheld-calls';
import type { StateName } from '@bulkhead/protocol';
import type { AssistantMessage, Message } from '@bulkhead/protocol/chat';
import { isMark, isMessage, type ModelCallBody, type RecordBody } from '@bulkhead/protocol/records';
import { readMessage, type StoredRecord } from '@bulkhead/sessions';
import { Round } from '../run/round.ts';
import { noProgress, type RunProgress } from '../run/run-progress.ts';

/** A run as its records tell it, that has not come to its end. */
export interface InterruptedRun {
  readonly runId: string;
  readonly progress: RunProgress;
  readonly round: Round | undefined;
  readonly calling: Round | undefined;
  readonly actions: OpenActions;
  readonly state: StateName;
  /** How often it has been taken up again already after its engine died. */
  readonly resumes: number;
  /** Its engine left it in an orderly stop, and nothing has taken it up since. */
  readonly suspended: boolean;
  /** The person had asked for its end. */
  readonly cancelled: boolean;
  /** The call of a model that was under way, at the most it can have cost. */
  readonly begun: ModelCallBody | undefined;
}

/**
 * Reads an open run back from its log.
 *
 * @param records of its session since its message was accepted, in order
 * @returns undefined if nothing of it was begun
 */
export function interruptedRun(
  records: readonly StoredRecord[],
  messageId: string,
): InterruptedRun | undefined {
  const at = records.findIndex(({ type, body }) => type === 'agent_start' && body.message === messageId);
  const start = records[at];
  if (start === undefined) return undefined;
  const reader = new RunReader(start.turn);
  // Earlier records, such as an interrupt of another run, are not about it.
  for (const record of records.slice(at)) {
    if (record.turn === start.turn) reader.read(record);
    else reader.readOther(record);
  }
  return reader;
}

class RunReader implements InterruptedRun {
  readonly runId: string;
  readonly actions = new OpenActions();
  progress: RunProgress = noProgress(null);
  round: Round | undefined;
  calling: Round | undefined;
  state: StateName = 'thinking';
  resumes = 0;
  suspended = false;
  cancelled = false;
  begun: ModelCallBody | undefined;
  /** Ids of the entries that hold `progress.messages`. */
  readonly #entries: string[] = [];
  /** How many of them lead to each entry, marks included. */
  readonly #places = new Map<string, number>();

  constructor(runId: string) {
    this.runId = runId;
  }

  read(record: StoredRecord): void {
    this.actions.read(record);
    const { body, type } = record;
    if (record.entry !== null) this.#entry(record, record.entry);
    switch (type) {
      case 'turn_start':
        this.progress.rounds += 1;
        this.progress.turnOpen = true;
        break;
      case 'turn_end':
        this.progress.turnOpen = false;
        this.begun = undefined;
        break;
      case 'message_start':
        this.progress.answering = body.role === 'assistant';
        break;
      case 'message_end':
        this.progress.answering = false;
        break;
      case 'model_call':
        this.progress.totals.add(body);
        this.begun = undefined;
        break;
      case 'model_call_begun':
        this.begun = body;
        break;
      default:
        this.#readRare(record);
    }
  }

  /**
   * Reads records outside the run that concern it: a message that interrupts, a loss that a person
   * accepted.
   */
  readOther(record: StoredRecord): void {
    const { type, body } = record;
    if (type === 'loss_accepted') this.actions.read(record);
    if (type === 'input_accepted' && body.delivery === 'interrupt') this.cancelled = true;
  }

  #readRare({ type, body }: StoredRecord): void {
    switch (type) {
      case 'retry_start':
        this.progress.retrying = body.attempt;
        break;
      case 'retry_end':
        this.progress.retrying = undefined;
        break;
      case 'rewound':
        this.#rewound(body.to);
        break;
      case 'state_change':
        this.state = body.to;
        break;
      case 'resuming':
        if (body.after !== 'stop') this.resumes += 1;
        this.suspended = false;
        break;
      case 'suspended':
        this.suspended = true;
        break;
      case 'cancel_requested':
        this.cancelled = true;
        break;
      default:
        break;
    }
  }

  #entry(record: StoredRecord, entry: string): void {
    if (this.#entries.length === 0) this.progress = { ...noProgress(record.parent), ...this.#counted() };
    this.progress.parent = entry;
    this.progress.firstEntry ??= entry;
    if (isMark(record)) {
      this.#places.set(entry, this.progress.messages.length);
      if (record.type === 'compaction') this.#keep();
      return;
    }
    if (!isMessage(record)) return;
    const message = readMessage(record.body);
    this.progress.messages.push(message);
    this.#entries.push(entry);
    this.#places.set(entry, this.#entries.length);
    this.#message(message, record);
  }

  #message({ role }: Message, { type, body }: StoredRecord): void {
    if (role.case === 'assistant' && type === 'message_end') this.#answer(role.value, body);
    if (role.case === 'tool') this.round?.answer(role.value.callId);
    if (role.case === 'user' || (role.case === 'tool' && this.round?.finished === true)) this.#keep();
  }

  #answer(answer: AssistantMessage, body: RecordBody<'message_end'>): void {
    const { usage = NO_USAGE, stopReason = 'other' } = body;
    this.progress.answers += 1;
    this.round = new Round(this.progress.rounds, answer, usage, stopReason, withheldCalls(answer));
    if (callsOf(answer).length > 0) this.calling = this.round;
  }

  #rewound(to: string | null): void {
    const place = this.#places.get(to ?? '') ?? 0;
    this.#entries.length = place;
    this.progress.messages.length = place;
    this.progress.parent = place === 0 ? this.progress.start : to;
    this.round = this.calling;
  }

  #keep(): void {
    this.progress.kept = { parent: this.progress.parent, messages: this.progress.messages.length };
  }

  /** Counts from before the first entry, which show where the run began. */
  #counted(): Partial<RunProgress> {
    const { rounds, totals } = this.progress;
    return { rounds, totals };
  }
}
