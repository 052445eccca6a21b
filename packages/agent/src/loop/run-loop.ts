import { create } from '@bufbuild/protobuf';
import { BulkheadError } from '@bulkhead/protocol';
import { ModelRequestSchema, type ProcessRequest, RequestNote, RunEnd } from '@bulkhead/protocol/agent';
import { type AssistantMessage, type Message, MessageSchema, type StopReason } from '@bulkhead/protocol/chat';
import { RunDigest } from '../reference/run-digest.ts';
import { afterAnswer, checkStopReason } from './after-answer.ts';
import { answerBatch } from './answer-batch.ts';
import { Cancellation, Cancelled } from './cancellation.ts';
import type { LoopEnd } from './loop-event.ts';
import type { LoopPorts } from './loop-ports.ts';
import { plainAnswer } from './message-parts.ts';
import { type OpenBatch, openBatch } from './open-batch.ts';

const DEFAULT_MAX_ROUNDS = 200;

/**
 * Works on one message of a person until it has an answer [L1]. Depends only on `request` and
 * `ports.results`: no clock, no randomness, no state between calls. It continues at the end of
 * `request.run`: calls without results are answered first, without a model request; a person's
 * message is sent to the model; an answer without calls ends the run, so a cut answer must not be
 * last. Messages sent meanwhile join the run after a batch and keep it from ending there [L8].
 *
 * Model requests are named `${runId}:${round}`; there are at most `maxRounds + 1` of them, counted
 * from the run's first process. Each identifies the known part of the run: the process that keeps
 * the conversation builds the request.
 *
 * @returns once exactly one `LoopEnd` was emitted; never rejects
 */
export async function runLoop(request: ProcessRequest, ports: LoopPorts): Promise<void> {
  using cancellation = new Cancellation(ports.signal);
  ports.emit(await new LoopRun(request, ports, cancellation).toEnd());
}

interface Answer {
  readonly message: AssistantMessage;
  readonly stopReason: StopReason;
}

/** Leaves the loop when no more model requests follow. */
class Ended extends Error {
  readonly end: LoopEnd;

  constructor(end: LoopEnd) {
    super();
    this.end = end;
  }
}

class LoopRun {
  readonly #runId: string;
  readonly #ports: LoopPorts;
  readonly #cancellation: Cancellation;
  readonly #maxRounds: number;
  readonly #run: Message[];
  readonly #digest = new RunDigest();
  readonly #sideBySide: Set<string>;
  #rounds: number;

  constructor(request: ProcessRequest, ports: LoopPorts, cancellation: Cancellation) {
    this.#runId = request.runId;
    this.#ports = {
      results: ports.results,
      signal: ports.signal,
      emit: (event) => {
        cancellation.check();
        ports.emit(event);
      },
    };
    this.#cancellation = cancellation;
    this.#maxRounds = request.maxRounds || DEFAULT_MAX_ROUNDS;
    this.#run = [...request.run];
    this.#sideBySide = new Set(request.sideBySide);
    this.#rounds = request.roundsUsed;
  }

  async toEnd(): Promise<LoopEnd> {
    try {
      this.#cancellation.check();
      return await this.#think();
    } catch (error) {
      if (error instanceof Cancelled) return complete(RunEnd.CANCELLED);
      if (error instanceof Ended) return error.end;
      const known = BulkheadError.from(error);
      return { type: 'error', code: known.code, message: known.message };
    }
  }

  async #think(): Promise<LoopEnd> {
    const resumed = await this.#resume();
    if (resumed !== undefined) return resumed;
    while (this.#rounds < this.#maxRounds) {
      const continuing = plainAnswer(this.#run.at(-1)) !== undefined;
      const note = continuing ? RequestNote.CONTINUE : RequestNote.UNSPECIFIED;
      const { message, stopReason } = await this.#ask(note);
      const next = afterAnswer(message, stopReason, !continuing && this.#rounds < this.#maxRounds);
      this.#run.push(create(MessageSchema, { role: { case: 'assistant', value: message } }));
      if (next === 'end') return complete(RunEnd.COMPLETED);
      const batch = openBatch(this.#run);
      const ended = batch === undefined ? undefined : await this.#answer(batch);
      if (ended !== undefined) return ended;
    }
    checkStopReason((await this.#ask(RequestNote.LAST_ANSWER)).stopReason);
    return complete(RunEnd.LIMIT);
  }

  /** Continues a run that another process began. */
  async #resume(): Promise<LoopEnd | undefined> {
    const last = this.#run.at(-1);
    const over = this.#rounds > this.#maxRounds;
    if (plainAnswer(last) !== undefined) return complete(over ? RunEnd.LIMIT : RunEnd.COMPLETED);
    if (over && last?.role.case === 'assistant') return complete(RunEnd.LIMIT);
    const batch = openBatch(this.#run);
    const open = batch?.calls.some(({ callId }) => !batch.results.has(callId)) ?? false;
    return batch !== undefined && open ? this.#answer(batch) : undefined;
  }

  /** @throws Ended without an answer: the model failed, or the conversation doesn't fit */
  async #ask(note: RequestNote): Promise<Answer> {
    this.#rounds += 1;
    const requestId = `${this.#runId}:${this.#rounds}`;
    const request = create(ModelRequestSchema, { requestId, ...this.#digest.of(this.#run), note });
    this.#ports.emit({ type: 'model_request', request });
    const { outcome } = await this.#cancellation.wait(this.#ports.results.model(requestId));
    if (outcome.case === 'contextFull') throw new Ended(complete(RunEnd.CONTEXT_FULL));
    if (outcome.case === 'failed') {
      throw new Ended({ type: 'error', code: outcome.value.code, message: outcome.value.message });
    }
    if (outcome.case === 'finished' && outcome.value.message !== undefined) {
      return { message: outcome.value.message, stopReason: outcome.value.stopReason };
    }
    throw new BulkheadError('format_error', 'the engine sent no whole answer');
  }

  async #answer(batch: OpenBatch): Promise<LoopEnd | undefined> {
    const answered = await answerBatch(batch, this.#sideBySide, this.#ports, this.#cancellation);
    this.#run.length = batch.answeredAt;
    for (const value of answered.results) {
      this.#run.push(create(MessageSchema, { role: { case: 'tool', value } }));
    }
    const steers = this.#ports.results.steers().flatMap(({ message }) => message ?? []);
    for (const value of steers) this.#run.push(create(MessageSchema, { role: { case: 'user', value } }));
    return answered.terminate && steers.length === 0 ? complete(RunEnd.TERMINATED) : undefined;
  }
}

function complete(end: RunEnd): LoopEnd {
  return { type: 'complete', end };
}
