import { create } from '@bufbuild/protobuf';
import { factsRecord } from '@bulkhead/actions/flow/recorded-facts';
import type { ActionFacts } from '@bulkhead/actions/pipeline/stages';
import type { AcceptedInput } from '@bulkhead/log/session/accepted-input';
import { compactEvent, type WholeCompaction } from '@bulkhead/log/session/compaction-record';
import {
  assistantMessage,
  callsOf,
  eventUsage,
  NO_USAGE,
  stopReasonName,
  toolMessage,
} from '@bulkhead/log/session/message-view';
import type { SessionState } from '@bulkhead/log/session/session-state';
import { type DurableEventBody, faultPoint } from '@bulkhead/protocol';
import {
  type AssistantMessage,
  type Message,
  type StopReason,
  type ToolCall,
  type ToolMessage,
  ToolMessageSchema,
} from '@bulkhead/protocol/chat';
import type { ActionIntent, ModelCallBody } from '@bulkhead/protocol/records';
import { endOfRun, type RunConclusion } from './end-of-run.ts';
import { Round } from './round.ts';
import type { RunProgress } from './run-progress.ts';
import { RunWriter, type RunWriterParts } from './run-writer.ts';
import { toolCallEvent } from './tool-call-event.ts';

/**
 * Writes one run's records, and keeps the engine's copy of its conversation. Every method is one
 * commit that leaves the grammar of events whole; a finished round makes entries history [S3].
 */
export class RunJournal {
  readonly runId: string;
  readonly #message: string;
  readonly #state: SessionState;
  readonly #progress: RunProgress;
  readonly #writer: RunWriter;

  constructor(parts: RunWriterParts & { readonly state: SessionState }) {
    this.runId = parts.runId;
    this.#message = parts.messageId;
    this.#state = parts.state;
    this.#progress = parts.progress;
    this.#writer = new RunWriter(parts);
  }

  /** This run's conversation so far, the user's message first. */
  get messages(): readonly Message[] {
    return this.#progress.messages;
  }

  get answers(): number {
    return this.#progress.answers;
  }

  /** True while an answer streams. */
  get answering(): boolean {
    return this.#progress.answering;
  }

  /** Where it stands in the tree. */
  get place(): Readonly<Pick<RunProgress, 'start' | 'parent' | 'firstEntry'>> {
    return this.#progress;
  }

  publish(...events: readonly DurableEventBody[]): void {
    if (events.length > 0) this.#writer.append(this.#writer.events(...events), { durable: false });
  }

  /** @param facts the resolved arguments of its call; undefined if no one reads it */
  startAction(event: DurableEventBody, facts: ActionFacts | undefined): void {
    const notes = facts === undefined ? [] : [this.#writer.note(factsRecord(facts))];
    this.#writer.append([...this.#writer.events(event), ...notes], { durable: false });
  }

  /** Writes down what is about to be done; on the disk, unless doing it again does no harm. */
  intend(intent: ActionIntent): void {
    const note = this.#writer.note({ type: 'action_intent', body: intent });
    this.#writer.append([note], { durable: intent.effect !== 'pure' });
  }

  /**
   * @param inputs the message of the run, then those that share it; they are settled by this
   * @param news events about the waiting messages, for clients
   */
  begin(inputs: readonly AcceptedInput[], news: readonly DurableEventBody[]): void {
    // A crash may have left the session in another state than idle, where no message was open.
    const idle = this.#state.to('idle');
    const first = this.#writer.events(...idle, this.#writer.start(), ...this.#state.to('thinking'), ...news);
    const entries = inputs.flatMap((input) => this.#writer.userEntry(input));
    this.#writer.keep();
    this.#writer.append([...first, ...entries], { leaf: this.#progress.parent, durable: inputs.length > 1 });
    faultPoint('run.started');
  }

  /** Messages that join the run where it stands, settled as merged in the same commit [L8]. */
  merge(inputs: readonly AcceptedInput[], news: readonly DurableEventBody[]): void {
    faultPoint('steer.before_merge');
    const entries = inputs.flatMap((input) => this.#writer.userEntry(input));
    this.#writer.keep();
    this.#writer.append([...entries, ...this.#writer.events(...news)], { leaf: this.#progress.parent });
    faultPoint('steer.merged');
  }

  /**
   * @param model `provider/model` of the request
   * @param most the maximal cost of the call, which counts if the engine dies before its end
   */
  startRound(model: string, most?: ModelCallBody): void {
    this.#progress.rounds += 1;
    this.#progress.turnOpen = true;
    this.#progress.answering = true;
    const begun = most === undefined ? [] : [this.#writer.note({ type: 'model_call_begun', body: most })];
    const events = this.#writer.events(
      { type: 'turn_start', round: this.#progress.rounds, model },
      { type: 'message_start', role: 'assistant' },
    );
    this.#writer.append([...events, ...begun], { durable: false });
  }

  /**
   * The model's whole answer, as the gateway saw it. Ends the round if it calls nothing.
   *
   * @throws BulkheadError `format_error` for ambiguous calls; then nothing was written
   */
  answer(answer: AssistantMessage, stopReason: StopReason, call: ModelCallBody): Round {
    const round = new Round(this.#progress.rounds, answer, eventUsage(call), stopReasonName(stopReason));
    this.#progress.answers += 1;
    const message = assistantMessage(answer);
    const entry = this.#writer.entry(
      {
        type: 'message_end',
        role: 'assistant',
        usage: round.usage,
        cost: call.cost,
        stopReason: round.stopReason,
      },
      message,
    );
    const calls = callsOf(answer).map(toolCallEvent);
    this.#progress.answering = false;
    const end = round.finished ? this.#endOfRound(round) : this.#state.unlessAborting('executing');
    this.#writer.append(
      [
        entry,
        this.#writer.modelCall(call),
        ...this.#writer.events(...this.#endOfRetry(true), ...calls, ...end),
      ],
      { ...(round.finished ? { leaf: this.#progress.parent } : {}), durable: false },
    );
    return round;
  }

  /** A model call without an answer. Its streamed part does not belong to the conversation. */
  failRound(call?: ModelCallBody): void {
    const { turnOpen, answering, rounds } = this.#progress;
    const notes = call === undefined ? [] : [this.#writer.modelCall(call)];
    const events: DurableEventBody[] = [];
    if (answering) events.push({ type: 'message_end', role: 'assistant', text: '', stopReason: 'error' });
    if (turnOpen) events.push({ type: 'turn_end', round: rounds, usage: NO_USAGE, stopReason: 'error' });
    this.#progress.answering = false;
    this.#progress.turnOpen = false;
    events.push(...this.#endOfRetry(false));
    const records = [...notes, ...this.#writer.events(...events)];
    if (records.length > 0) this.#writer.append(records, { durable: false });
  }

  /**
   * The result of one call, with the events that end its action. The round's entries become history with its
   * last result.
   */
  toolOutput(
    round: Round,
    call: ToolCall,
    result: Pick<ToolMessage, 'text' | 'isError'> & {
      readonly display?: string;
      readonly ownWords?: boolean;
    },
    before: readonly DurableEventBody[] = [],
  ): ToolMessage {
    const value = create(ToolMessageSchema, {
      callId: call.callId,
      name: call.name,
      text: result.text,
      isError: result.isError,
      ownWords: result.ownWords ?? false,
    });
    round.answer(call.callId);
    const display = result.display === undefined ? {} : { display: result.display };
    const entry = this.#writer.entry(
      { type: 'tool_output', call: call.callId, tool: call.name, isError: result.isError, ...display },
      toolMessage(value),
    );
    if (round.finished) this.#writer.keep();
    const end = round.finished ? this.#endOfRound(round) : [];
    faultPoint('outcome.before');
    this.#writer.append([...this.#writer.events(...before), entry, ...this.#writer.events(...end)], {
      ...(round.finished ? { leaf: this.#progress.parent } : {}),
      durable: false,
    });
    faultPoint(round.finished ? 'round.ended' : 'outcome.after');
    return value;
  }

  retry(event: Extract<DurableEventBody, { type: 'retry_start' }>): void {
    this.#progress.retrying = event.attempt;
    this.publish(event);
  }

  /** Goes back to where the last attempt found the run: what it said leaves the branch, not the log [E4]. */
  rewind(): void {
    const { kept, messages } = this.#progress;
    if (messages.length === kept.messages) return;
    this.#progress.parent = kept.parent;
    messages.length = kept.messages;
    const note = this.#writer.note({ type: 'rewound', body: { to: kept.parent } });
    this.#writer.append([note], { leaf: kept.parent, durable: false });
    faultPoint('run.rewound');
  }

  /** The run is taken up again, after what cut it off. Said first, so that one that kills its engine is not for ever. */
  resume(after: 'death' | 'stop' | 'standstill'): void {
    if (after !== 'standstill')
      this.#writer.append([this.#writer.note({ type: 'resuming', body: { after } })], {});
    // A compaction that a crash cut off is over: the run thinks again.
    if (this.#state.current === 'compacting') this.publish(...this.#state.to('thinking'));
  }

  /** The run is left to the next engine: this one stops, and does not die. */
  suspend(): void {
    this.#writer.append([this.#writer.note({ type: 'suspended', body: {} })], {});
  }

  /** Says that the conversation is being made shorter, while `work` does it. */
  async compacting<T>(
    messages: number,
    reason: 'overflow' | 'threshold',
    work: () => Promise<T>,
  ): Promise<T> {
    this.publish({ type: 'session_before_compact', reason, messages }, ...this.#state.to('compacting'));
    faultPoint('compaction.begun');
    const result = await work();
    this.publish(...this.#state.unlessAborting('thinking'));
    return result;
  }

  /** Puts a summary below the run's last entry; what it stands for stays in the log [K3]. */
  compacted(body: WholeCompaction, byRule: boolean): void {
    const { id, record } = this.#writer.compaction(body);
    this.#writer.keep();
    faultPoint('compaction.answered');
    this.#writer.append([record, ...this.#writer.events(compactEvent(id, byRule))], { leaf: id });
    faultPoint('compaction.recorded');
  }

  /** The person wants the run to end: known also after a crash. */
  cancelling(): void {
    const note = this.#writer.note({ type: 'cancel_requested', body: {} });
    this.#writer.append([note, ...this.#writer.events(...this.#state.to('aborting'))], {});
    faultPoint('cancel.requested');
  }

  /**
   * The end of the run, in one commit: exactly one `settled` for its message. A failed run in which nothing happened
   * leaves the conversation as it was before its message [E4].
   */
  finish(conclusion: RunConclusion): void {
    const { totals, rounds, start, messages } = this.#progress;
    const failed = conclusion.outcome === 'failed' || conclusion.error !== undefined;
    // Messages that share the run were settled by joining it: they must not vanish with it.
    const undone = failed && messages.length === 1;
    const events = endOfRun(this.#message, rounds, totals.usage, totals.cost, conclusion, [
      ...(failed ? this.#state.unlessAborting('error') : []),
      ...this.#state.to('idle'),
    ]);
    faultPoint('settled.before');
    this.#writer.append(
      this.#writer.events(...this.#endOfRetry(false), ...events),
      undone ? { leaf: start } : {},
    );
    faultPoint('settled.after');
  }

  #endOfRound({ number, usage, stopReason }: Round): DurableEventBody[] {
    this.#progress.turnOpen = false;
    return [
      { type: 'turn_end', round: number, usage, stopReason },
      ...this.#state.unlessAborting('thinking'),
    ];
  }

  #endOfRetry(success: boolean): DurableEventBody[] {
    const attempt = this.#progress.retrying;
    this.#progress.retrying = undefined;
    return attempt === undefined ? [] : [{ type: 'retry_end', attempt, success }];
  }
}
