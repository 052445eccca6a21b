import type { StateName } from '@bulkhead/protocol';
import type { AssistantMessage, Message } from '@bulkhead/protocol/chat';
import { readMessage, type StoredRecord } from '@bulkhead/sessions';
import * as z from 'zod';
import { Round } from '../run/round.ts';
import { noProgress, type RunProgress } from '../run/run-progress.ts';
import { callsOf, NO_USAGE } from '../session/message-view.ts';
import { stateOf } from '../session/session-state.ts';
import { OpenActions } from './open-actions.ts';

/** A run as its records tell it, that has not come to its end. */
export interface InterruptedRun {
  readonly runId: string;
  readonly progress: RunProgress;
  readonly round: Round | undefined;
  readonly calling: Round | undefined;
  readonly actions: OpenActions;
  readonly state: StateName;
  /** How often it has been taken up again already. */
  readonly resumes: number;
  /** The person had asked for its end. */
  readonly cancelled: boolean;
}

const callBody = z.object({
  purpose: z.string(),
  model: z.string(),
  ok: z.boolean(),
  estimated: z.boolean(),
  cost: z.number().nullable(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  cachedInputTokens: z.number(),
  reasoningTokens: z.number(),
});

const answerBody = z.object({
  usage: z
    .object({
      inputTokens: z.number(),
      outputTokens: z.number(),
      cachedInputTokens: z.number(),
      reasoningTokens: z.number(),
    })
    .catch({ ...NO_USAGE }),
  stopReason: z.enum(['stop', 'tool_calls', 'length', 'content_filter', 'error', 'other']).catch('other'),
});

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
  const start = records.find(({ type, body }) => type === 'agent_start' && body['message'] === messageId);
  if (start === undefined) return undefined;
  const reader = new RunReader(start.turn);
  for (const record of records) {
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
  cancelled = false;
  /** Ids of the entries that hold `progress.messages`. */
  readonly #entries: string[] = [];

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
        break;
      case 'message_start':
        this.progress.answering = body['role'] === 'assistant';
        break;
      case 'message_end':
        this.progress.answering = false;
        break;
      case 'model_call':
        this.progress.totals.add(callBody.parse(body));
        break;
      default:
        this.#readRare(record);
    }
  }

  /** What is said outside the run but ends it: a message that interrupts. */
  readOther({ type, body }: StoredRecord): void {
    if (type === 'input_accepted' && body['delivery'] === 'interrupt') this.cancelled = true;
  }

  #readRare({ type, body }: StoredRecord): void {
    switch (type) {
      case 'retry_start':
        this.progress.retrying = Number(body['attempt']);
        break;
      case 'retry_end':
        this.progress.retrying = undefined;
        break;
      case 'rewound':
        this.#rewound(body['to']);
        break;
      case 'state_change':
        this.state = stateOf(body['to']);
        break;
      case 'run_resumed':
        this.resumes += 1;
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
    if (record.type === 'compaction') {
      this.#keep();
      return;
    }
    const message = readMessage(record.body);
    this.progress.messages.push(message);
    this.#entries.push(entry);
    this.#message(message, record);
  }

  #message({ role }: Message, { body }: StoredRecord): void {
    if (role.case === 'assistant') this.#answer(role.value, body);
    if (role.case === 'tool') this.round?.answer(role.value.callId);
    if (role.case === 'user' || (role.case === 'tool' && this.round?.finished === true)) this.#keep();
  }

  #answer(answer: AssistantMessage, body: StoredRecord['body']): void {
    const { usage, stopReason } = answerBody.parse(body);
    this.progress.answers += 1;
    this.round = new Round(this.progress.rounds, answer, usage, stopReason);
    if (callsOf(answer).length > 0) this.calling = this.round;
  }

  #rewound(to: unknown): void {
    const place = this.#entries.indexOf(String(to)) + 1;
    this.#entries.length = place;
    this.progress.messages.length = place;
    this.progress.parent = place === 0 ? this.progress.start : String(to);
    this.round = this.calling;
  }

  #keep(): void {
    this.progress.kept = { parent: this.progress.parent, messages: this.progress.messages.length };
  }

  /** What was counted before the first entry came, which tells where the run began. */
  #counted(): Partial<RunProgress> {
    const { rounds, totals } = this.progress;
    return { rounds, totals };
  }
}
