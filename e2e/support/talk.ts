import { setTimeout as sleep } from 'node:timers/promises';
import type { InputOf } from '@bulkhead/client';
import { BulkheadError, type EventType, type SessionEvent } from '@bulkhead/protocol';
import { type ApprovalAnswer, ApprovalMode, Delivery, type RunOptions } from '@bulkhead/protocol/client';
import { ofType, parseEventLine } from './event-lines.ts';
import type { Stage } from './stage.ts';
import { until } from './until.ts';

export { Delivery };

type SendRequest = InputOf<'sendMessage'>;
type Settled = Extract<SessionEvent, { type: 'settled' }>;

const PAUSE_MS = 15;

/** A session as a client has it: sends messages and sees every event, over ends of the engine too. */
export class Talk implements AsyncDisposable {
  readonly session: string;
  readonly #stage: Stage;
  readonly #events: SessionEvent[] = [];
  readonly #stop = new AbortController();
  readonly #watching: Promise<void>;

  private constructor(stage: Stage, session: string) {
    this.#stage = stage;
    this.session = session;
    this.#watching = this.#watch();
  }

  /** Starts an engine if none runs, and a session in the working folder, or another one. */
  static async begin(stage: Stage, workingFolder = stage.folder): Promise<Talk> {
    await stage.withEngine();
    using client = await stage.client();
    return new Talk(stage, (await client.call('createSession', { workingFolder })).sessionId);
  }

  /** All events so far, each once. */
  get events(): readonly SessionEvent[] {
    return this.#events;
  }

  /** @returns once the message is durable */
  async send(
    messageId: string,
    request: {
      readonly delivery?: Delivery;
      readonly content?: string;
      readonly options?: Partial<RunOptions>;
    } = {},
  ): Promise<void> {
    const { content = messageId, delivery = Delivery.UNSPECIFIED, options } = request;
    const message: SendRequest = { sessionId: this.session, messageId, content, delivery };
    using client = await this.#stage.client();
    await client.call(
      'sendMessage',
      options === undefined ? message : { ...message, options: plain(options) },
    );
  }

  /** @returns false if there was nothing to end */
  async cancel(messageId: string): Promise<boolean> {
    using client = await this.#stage.client();
    return (await client.call('cancelRun', { sessionId: this.session, messageId })).cancelled;
  }

  /** Waits for an event of a type that fits. */
  async event<Type extends EventType>(
    type: Type,
    fits: (event: Extract<SessionEvent, { type: Type }>) => boolean = () => true,
  ): Promise<Extract<SessionEvent, { type: Type }>> {
    return until(`an event ${type}`, () => ofType(this.#events, type).find(fits));
  }

  /** @returns false if it was decided already */
  async decide(
    { approval, hash }: { readonly approval: string; readonly hash: string },
    answer: ApprovalAnswer,
  ): Promise<boolean> {
    using client = await this.#stage.client();
    const asked = { sessionId: this.session, approvalId: approval, actionHash: hash };
    return (await client.call('decideApproval', { ...asked, answer })).accepted;
  }

  /** Waits for the next question and answers it. @param after its number is higher */
  async answer(answer: ApprovalAnswer, after = 0) {
    const asked = await this.event('approval_requested', ({ seq }) => seq > after);
    if (!(await this.decide(asked, answer))) throw new Error(`the answer to ${asked.reason} does not count`);
    return asked;
  }

  async settled(messageId: string): Promise<Settled> {
    return await this.event('settled', ({ message }) => message === messageId);
  }

  /** As `settled`, for what takes longer. */
  async settledWithin(messageId: string, withinMs: number): Promise<Settled> {
    const find = () => ofType(this.#events, 'settled').find(({ message }) => message === messageId);
    return await until(`${messageId} is settled`, find, withinMs);
  }

  /** Waits until these messages are settled and the session has nothing left to do. */
  async idleAfter(...messages: readonly string[]): Promise<readonly SessionEvent[]> {
    for (const message of messages) await this.settled(message);
    await until(
      'the session is idle',
      () => this.#events.findLast(({ type }) => type !== 'session_title')?.type === 'idle',
    );
    return this.#events;
  }

  /** Messages and how they ended, in the order they did. */
  outcomes(): readonly string[] {
    return ofType(this.#events, 'settled').map(({ message, outcome }) => `${message} ${outcome}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#watching;
  }

  async #watch(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      try {
        await this.#watchOnce();
      } catch (error) {
        // The engine is away, or this is over.
        if (!BulkheadError.is(error)) throw error;
      }
      await sleep(PAUSE_MS);
    }
  }

  async #watchOnce(): Promise<void> {
    using client = await this.#stage.client();
    const afterSeq = this.#events.findLast(({ ephemeral }) => ephemeral !== true)?.seq ?? 0;
    const request = { sessionId: this.session, afterSeq, follow: true };
    for await (const { json } of client.stream('watch', request, this.#stop.signal))
      this.#events.push(parseEventLine(json));
  }
}

/** A message of someone who can be asked. */
export function asking(content: string) {
  return { content, options: { approve: ApprovalMode.ASK } };
}

/** Without what protobuf adds to a message. */
function plain({ approve, dryRun, maxRounds, model, clientTools }: Partial<RunOptions>) {
  return {
    approve: approve ?? 0,
    dryRun: dryRun ?? false,
    maxRounds: maxRounds ?? 0,
    model: model ?? '',
    clientTools: clientTools ?? [],
  };
}
