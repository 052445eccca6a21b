import { create } from '@bufbuild/protobuf';
import { BulkheadError } from '@bulkhead/protocol';
import { ModelRequestSchema, type ProcessRequest, RunEnd } from '@bulkhead/protocol/agent';
import { type Message, MessageSchema, type ToolDefinition } from '@bulkhead/protocol/chat';
import { ResultMarks } from '../prompt/mark-results.ts';
import { promptFacts } from '../prompt/sections/prompt-section.ts';
import { buildSystemPrompt } from '../prompt/system-prompt.ts';
import { buildTurnPart } from '../prompt/turn-part.ts';
import { afterAnswer, afterLastAnswer } from './after-answer.ts';
import { answerBatch } from './answer-batch.ts';
import { Cancellation, Cancelled } from './cancellation.ts';
import { LOAD_SKILLS, skillTools } from './load-skills.ts';
import { LOAD_TOOLS, loadToolsDefinition } from './load-tools.ts';
import type { LoopEnd } from './loop-event.ts';
import type { LoopPorts } from './loop-ports.ts';
import { closingText, plainAnswer, textOf } from './message-parts.ts';
import { askModel, type ModelAnswer, ModelRequestFailed } from './model-answer.ts';
import { modelView } from './model-view.ts';
import { CONTINUATION_NOTE, LIMIT_NOTE, STILL_CALLING_NOTICE, withNotice } from './notices.ts';
import { type OpenBatch, openBatch } from './open-batch.ts';
import { restoredSkills } from './restored-skills.ts';
import { thoughtsOf } from './thoughts.ts';

const DEFAULT_MAX_ROUNDS = 25;
const DEFAULT_MAX_OUTPUT_TOKENS = 4_096;

const META_NAMES: readonly string[] = [LOAD_TOOLS, LOAD_SKILLS];

/**
 * Works on one message of a person until there is an answer [L1]. A function of `request` and of what
 * `ports.results` gives: no clock, no randomness, nothing kept from one call to the next. It begins where
 * `request.run` ends: calls without results are answered first, without a model request; a person's message is
 * put to the model; an answer without calls is the run's, so one that the output limit cut may not stand there.
 * What a person says meanwhile joins the run after a batch and keeps it from ending there [L8].
 *
 * Model requests are named `${runId}:${round}`; there are at most `maxRounds + 1` of them, counted from the run's
 * first process.
 *
 * @param request limits that are 0 or missing take the defaults, 25 rounds and 4,096 output tokens
 * @returns once exactly one `LoopEnd` was emitted; never rejects
 */
export async function runLoop(request: ProcessRequest, ports: LoopPorts): Promise<void> {
  using cancellation = new Cancellation(ports.signal);
  ports.emit(await new LoopRun(request, ports, cancellation).toEnd());
}

class LoopRun {
  readonly #request: ProcessRequest;
  readonly #ports: LoopPorts;
  readonly #cancellation: Cancellation;
  readonly #maxRounds: number;
  readonly #system: string;
  readonly #tail: string;
  readonly #marks = new ResultMarks();
  readonly #restored: readonly Message[];
  readonly #run: Message[];
  readonly #tools: ToolDefinition[];
  #rounds: number;
  /** Text of the answer that is streaming. */
  #partial = '';

  constructor(request: ProcessRequest, ports: LoopPorts, cancellation: Cancellation) {
    this.#request = request;
    this.#ports = {
      results: ports.results,
      signal: ports.signal,
      emit: (event) => {
        cancellation.check();
        ports.emit(event);
      },
    };
    this.#cancellation = cancellation;
    this.#maxRounds = request.limits?.maxRounds || DEFAULT_MAX_ROUNDS;
    this.#system = buildSystemPrompt(promptFacts(request.context, request.groups));
    this.#tail = buildTurnPart(request.turn);
    this.#restored = restoredSkills(request.skills);
    this.#run = [...request.run];
    this.#tools = [loadToolsDefinition(request.groups), ...skillTools(request)];
    this.#append(request.tools);
    this.#rounds = request.roundsUsed;
  }

  async toEnd(): Promise<LoopEnd> {
    try {
      this.#cancellation.check();
      return await this.#think();
    } catch (error) {
      if (error instanceof Cancelled) return this.#complete(this.#partial, RunEnd.CANCELLED);
      if (error instanceof ModelRequestFailed) {
        return { type: 'error', code: error.code, message: error.message };
      }
      const known = BulkheadError.from(error);
      return { type: 'error', code: known.code, message: known.message };
    }
  }

  async #think(): Promise<LoopEnd> {
    const resumed = await this.#resume();
    if (resumed !== undefined) return resumed;
    while (this.#rounds < this.#maxRounds) {
      const continuing = plainAnswer(this.#run.at(-1)) !== undefined;
      const answer = await this.#ask(
        modelView(this.#messages(), continuing ? CONTINUATION_NOTE : undefined, this.#window),
        false,
      );
      const next = afterAnswer(answer, !continuing && this.#rounds < this.#maxRounds);
      this.#remember(answer);
      if (next.step === 'end') {
        const text = closingText(this.#run);
        return this.#complete(next.notice === undefined ? text : withNotice(text, next.notice), next.end);
      }
      const batch = openBatch(this.#run);
      const ended = batch === undefined ? undefined : await this.#answer(batch);
      if (ended !== undefined) return ended;
    }
    const last = await this.#ask(modelView(this.#messages(), LIMIT_NOTE, this.#window), true);
    const text = afterLastAnswer(last);
    return this.#complete(text, RunEnd.LIMIT);
  }

  /** Takes up a run that another process began. */
  async #resume(): Promise<LoopEnd | undefined> {
    const last = this.#run.at(-1);
    if (plainAnswer(last) !== undefined) {
      const end = this.#rounds > this.#maxRounds ? RunEnd.LIMIT : RunEnd.COMPLETED;
      return this.#complete(closingText(this.#run), end);
    }
    if (this.#rounds > this.#maxRounds && last?.role.case === 'assistant') {
      return this.#complete(withNotice(textOf(last.role.value), STILL_CALLING_NOTICE), RunEnd.LIMIT);
    }
    const batch = openBatch(this.#run);
    const open = batch?.calls.some(({ callId }) => !batch.results.has(callId)) ?? false;
    return batch !== undefined && open ? this.#answer(batch) : undefined;
  }

  async #ask(messages: Message[], forbidTools: boolean): Promise<ModelAnswer> {
    this.#rounds += 1;
    this.#partial = '';
    const request = create(ModelRequestSchema, {
      requestId: `${this.#request.runId}:${this.#rounds}`,
      system: this.#system,
      messages: this.#marks.view(messages),
      tools: [...this.#tools],
      forbidTools,
      maxOutputTokens: this.#request.limits?.maxOutputTokens || DEFAULT_MAX_OUTPUT_TOKENS,
      tail: this.#tail,
    });
    return askModel(request, this.#ports, this.#cancellation, (text) => {
      this.#partial += text;
    });
  }

  #remember({ message }: ModelAnswer): void {
    this.#partial = '';
    this.#run.push(create(MessageSchema, { role: { case: 'assistant', value: message } }));
  }

  async #answer(batch: OpenBatch): Promise<LoopEnd | undefined> {
    const { results, terminate, loaded } = await answerBatch(
      batch,
      this.#tools,
      this.#ports,
      this.#cancellation,
    );
    this.#run.length = batch.answeredAt;
    for (const value of results) this.#run.push(create(MessageSchema, { role: { case: 'tool', value } }));
    const steers = this.#ports.results.steers();
    for (const { text, attachments } of steers) {
      this.#run.push(create(MessageSchema, { role: { case: 'user', value: { text, attachments } } }));
    }
    this.#append(loaded);
    if (!terminate || steers.length > 0) return undefined;
    const answer = this.#run[batch.answeredAt - 1]?.role;
    return this.#complete(answer?.case === 'assistant' ? textOf(answer.value) : '', RunEnd.TERMINATED);
  }

  /** Only ever at the end, so that requests keep their prefix; a name that is there stays as it is. */
  #append(definitions: readonly ToolDefinition[]): void {
    for (const definition of definitions) {
      const known =
        META_NAMES.includes(definition.name) || this.#tools.some(({ name }) => name === definition.name);
      if (!known) this.#tools.push(definition);
    }
  }

  get #window(): number {
    return this.#request.limits?.contextWindow ?? 0;
  }

  #messages(): Message[] {
    return [...this.#restored, ...this.#request.history, ...this.#run];
  }

  #complete(content: string, end: RunEnd): LoopEnd {
    return { type: 'complete', content, thoughts: thoughtsOf(this.#run), end };
  }
}
