import { create } from '@bufbuild/protobuf';
import type { EventBody } from '@bulkhead/protocol';
import {
  type ApprovalAnswer,
  Delivery,
  type SendMessageRequest,
  type WatchRequest,
  type WatchResponse,
  WatchResponseSchema,
} from '@bulkhead/protocol/client';

/** The script of a run: emits events, ending with `settled` and `idle`. */
export type Script = (run: ScriptedRun) => Promise<void>;

const END = {
  type: 'settled',
  outcome: 'completed',
  answer: '',
  usage: { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, reasoningTokens: 0 },
  cost: null,
  rounds: 1,
} as const;

/** The context of a script. */
export class ScriptedRun {
  readonly request: SendMessageRequest;
  readonly session: ScriptedSession;

  constructor(session: ScriptedSession, request: SendMessageRequest) {
    this.session = session;
    this.request = request;
  }

  get cancelled(): AbortSignal {
    return this.session.cancel.signal;
  }

  emit(...bodies: readonly EventBody[]): void {
    for (const body of bodies)
      this.session.emit(body, body.type === 'idle' ? '' : `run-${this.request.messageId}`);
  }

  start(): void {
    this.emit({ type: 'agent_start', message: this.request.messageId });
  }

  settle(fields: Partial<Extract<EventBody, { type: 'settled' }>>, options = { idle: true }): void {
    this.emit({ type: 'agent_end', message: this.request.messageId });
    this.emit({ ...END, message: this.request.messageId, ...fields });
    if (options.idle && !this.session.waits) this.emit({ type: 'idle' });
  }

  /** Streams an answer in pieces. */
  say(...pieces: readonly string[]): void {
    this.emit({ type: 'message_start', role: 'assistant' });
    for (const text of pieces) this.emit({ type: 'text_delta', text });
    this.emit({ type: 'message_end', role: 'assistant', text: pieces.join(''), stopReason: 'stop' });
  }

  /** Adds the messages that wait to join the run, as an engine does at the end of a step. */
  join(): readonly SendMessageRequest[] {
    const steers = this.session.takeSteers();
    for (const { messageId, content } of steers) {
      this.emit({ type: 'message_end', role: 'user', input: messageId, text: content });
      this.emit({ ...END, message: messageId, outcome: 'merged' });
    }
    if (steers.length > 0) this.emit(this.session.queue());
    return steers;
  }

  approval(): Promise<ApprovalAnswer> {
    return this.session.decided.promise;
  }
}

/** A session of the scripted engine: its log, and the messages that wait for their run. */
export class ScriptedSession {
  readonly id: string;
  readonly workingFolder: string;
  readonly offTheRecord: boolean;
  readonly log: WatchResponse[] = [];
  lastSeq = 0;
  cancel = new AbortController();
  decided = Promise.withResolvers<ApprovalAnswer>();
  #wake = Promise.withResolvers<void>();
  #waiting: readonly SendMessageRequest[] = [];
  #running = false;

  constructor(id: string, workingFolder: string, offTheRecord: boolean) {
    this.id = id;
    this.workingFolder = workingFolder;
    this.offTheRecord = offTheRecord;
  }

  summary() {
    return {
      sessionId: this.id,
      title: `title of ${this.id}`,
      workingFolder: this.workingFolder,
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-02T00:00:00.000Z',
      messages: this.log.length,
      offTheRecord: this.offTheRecord,
    };
  }

  enqueue(request: SendMessageRequest, script: Script): void {
    const interrupt = request.delivery === Delivery.INTERRUPT;
    this.#waiting = interrupt ? [request, ...this.#waiting] : [...this.#waiting, request];
    if (this.#running) this.emit(this.queue(), '');
    if (interrupt) this.cancel.abort();
    void this.#drain(script);
  }

  /** @returns false if no run was active */
  end(messageId: string): boolean {
    if (this.#waiting.some((request) => request.messageId === messageId)) {
      this.#waiting = this.#waiting.filter((request) => request.messageId !== messageId);
      this.emit({ ...END, message: messageId, outcome: 'aborted' }, '');
      this.emit(this.queue(), '');
      return true;
    }
    this.cancel.abort();
    return this.#running;
  }

  queue(): EventBody {
    const ids = (steer: boolean) =>
      this.#waiting
        .filter(({ delivery }) => (delivery === Delivery.STEER) === steer)
        .map(({ messageId }) => messageId);
    return { type: 'queue_update', steer: ids(true), followUp: ids(false) };
  }

  get waits(): boolean {
    return this.#waiting.length > 0;
  }

  takeSteers(): readonly SendMessageRequest[] {
    const steers = this.#waiting.filter(({ delivery }) => delivery === Delivery.STEER);
    this.#waiting = this.#waiting.filter((request) => !steers.includes(request));
    return steers;
  }

  /** As in the engine: only `agent_start` reports that the last message left the queue. */
  async #drain(script: Script): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      this.#waiting = this.#waiting.slice(1);
      this.cancel = new AbortController();
      await script(new ScriptedRun(this, next));
    }
    this.#running = false;
  }

  emit(body: EventBody, turn: string): void {
    const ephemeral = body.type.endsWith('_delta') || body.type === 'gap';
    if (!ephemeral) this.lastSeq++;
    const seq = ephemeral ? this.lastSeq + 1 : this.lastSeq;
    const time = '2026-01-01T00:00:00.000Z';
    const event = { seq, time, session: this.id, turn, ...(ephemeral ? { ephemeral } : {}), ...body };
    const json = JSON.stringify(event);
    this.log.push(create(WatchResponseSchema, { seq, type: body.type, ephemeral, json }));
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }

  /** Durable events after a number, then live ones; earlier deltas are lost. */
  async *watch(request: WatchRequest, signal: AbortSignal): AsyncGenerator<WatchResponse> {
    const left = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    const before = this.log.length;
    let index = 0;
    while (!signal.aborted) {
      for (; index < this.log.length; index++) {
        const line = this.log[index];
        if (line === undefined || line.seq <= request.afterSeq) continue;
        if (line.ephemeral && index < before) continue;
        yield line;
      }
      if (!request.follow) return;
      const woken = this.#wake.promise;
      if (index === this.log.length) await Promise.race([woken, left]);
    }
  }
}
