import type { ApprovalScope, IdSource, ApprovalMode as Mode, SessionEvent } from '@bulkhead/protocol';
import { ApprovalAnswer, ApprovalMode, Delivery } from '@bulkhead/protocol/client';
import { parseEvent } from '@bulkhead/protocol/transcript';
import { answerCalls } from './answer-calls.ts';
import type { ClientTool } from './client-tool.ts';
import { Run, type RunParts } from './run.ts';

/** A question of the engine, as its event tells it. */
export type ApprovalRequest = Extract<SessionEvent, { type: 'approval_requested' }>;

/** How far a yes reaches: this once, this session, or always, which writes a rule of policy. `deny` is a no. */
export type Decision = 'deny' | ApprovalScope;

export interface SendOptions {
  /**
   * What becomes of an action that needs approval: refused (`deny`, if nothing is said), asked of this program
   * (`ask`: answer with `decide`; no answer is a no), or done (`allow`).
   */
  readonly approve?: Mode;
  /** `provider/model`; absent, the configured one. */
  readonly model?: string;
  /** Address of that model's server. */
  readonly baseUrl?: string;
  /** Model rounds before it stops. */
  readonly maxRounds?: number;
  /** What would change something is described and not done. */
  readonly dryRun?: boolean;
  /** While a run goes on: wait for its end (`queue`), join it (`steer`), cancel it (`interrupt`), or fail with `busy` (`refuse`). */
  readonly delivery?: 'queue' | 'steer' | 'interrupt' | 'refuse';
  /** PNG, JPEG, GIF or WebP. */
  readonly images?: readonly { readonly mediaType: string; readonly data: Uint8Array }[];
  /**
   * Tools of this program for this message, at most 128, and 128 kB together. Calls are answered as long as the `Bulkhead` is open,
   * whether anybody looks at the run or not.
   */
  readonly tools?: readonly ClientTool[];
  /**
   * An id of your own: a message with an id that was accepted before is answered, and not run twice. A call of its tools that was told
   * before is not made again: the model is told that nobody knows whether it was done.
   */
  readonly messageId?: string;
}

const APPROVE = { deny: ApprovalMode.DENY, ask: ApprovalMode.ASK, allow: ApprovalMode.ALLOW } as const;
const DELIVERY = {
  queue: Delivery.UNSPECIFIED,
  steer: Delivery.STEER,
  interrupt: Delivery.INTERRUPT,
  refuse: Delivery.INVOKE,
} as const;
const ANSWER = {
  deny: ApprovalAnswer.DENY,
  once: ApprovalAnswer.ALLOW_ONCE,
  session: ApprovalAnswer.ALLOW_SESSION,
  always: ApprovalAnswer.ALLOW_ALWAYS,
} as const;

/** What makes a `Session`; programs get one of a `Bulkhead`. */
export interface SessionParts extends Pick<RunParts, 'link' | 'onConnection' | 'life'> {
  readonly id: string;
  readonly folder: string;
  readonly newId: IdSource;
  /** Calls of tools that this program has begun to answer. */
  readonly takenCalls: Set<string>;
}

/** One conversation. Any number of programs and people may talk in it and watch it. */
export class Session {
  readonly #parts: SessionParts;

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  get id(): string {
    return this.#parts.id;
  }

  /** Absolute path of its working folder. */
  get folder(): string {
    return this.#parts.folder;
  }

  /**
   * Sends a message.
   *
   * @returns once the message is on the disk: its run, which goes on whether anybody looks at it or not
   * @throws BulkheadError `usage`, `busy` (with `delivery: 'refuse'`), `not_found`, `not_running`
   */
  async send(content: string, options: SendOptions = {}): Promise<Run> {
    const { link, id: sessionId, newId, life } = this.#parts;
    const messageId = options.messageId ?? newId();
    const { model = '', baseUrl = '', maxRounds = 0, dryRun = false, tools = [] } = options;
    const request = {
      sessionId,
      messageId,
      content,
      delivery: DELIVERY[options.delivery ?? 'queue'],
      images: (options.images ?? []).map(({ mediaType, data }) => ({
        mediaType,
        data: Uint8Array.from(data),
      })),
      options: {
        approve: APPROVE[options.approve ?? 'deny'],
        model,
        baseUrl,
        maxRounds,
        dryRun,
        clientTools: tools.map(({ name, description, inputSchema }) => ({
          name,
          description,
          inputSchemaJson: inputSchema === undefined ? '' : JSON.stringify(inputSchema),
        })),
      },
    };
    const { afterSeq, duplicate } = await link.repeat(
      (client) => client.call('sendMessage', request, life),
      life,
    );
    if (tools.length > 0) {
      const heardFrom = duplicate ? await this.#lastSeq(afterSeq) : afterSeq;
      const taken = this.#parts.takenCalls;
      void answerCalls({ link, life, sessionId, messageId, afterSeq, heardFrom, tools, taken });
    }
    return new Run({ ...this.#parts, sessionId, messageId, afterSeq });
  }

  /**
   * Events of the session, in order: durable ones each once, deltas as they happen. Events that this version doesn't know are left out.
   *
   * @param options.after the `seq` to go on from; 0, or absent, for all
   * @param options.follow wait for what comes, until the caller leaves, `signal` fires or the `Bulkhead` is closed
   * @throws BulkheadError `not_running` when the engine stays away for 10 s; `cancelled`
   */
  async *events(
    options: { readonly after?: number; readonly follow?: boolean; readonly signal?: AbortSignal } = {},
  ): AsyncGenerator<SessionEvent> {
    const { link, id: sessionId, life, onConnection } = this.#parts;
    const { after = 0, follow = false } = options;
    const signal = options.signal === undefined ? life : AbortSignal.any([life, options.signal]);
    const lines = follow
      ? link.watch(sessionId, after, signal, onConnection)
      : await link.once(async (client) => client.stream('watch', { sessionId, afterSeq: after }, signal));
    for await (const { json } of lines) {
      const event = parseEvent(json);
      if (event !== undefined) yield event;
    }
  }

  /**
   * Answers a question. The answer is bound to the hash of the action that was asked about.
   * @returns false if it was answered, expired or withdrawn before
   */
  async decide(question: Pick<ApprovalRequest, 'approval' | 'hash'>, decision: Decision): Promise<boolean> {
    const { link, id: sessionId, life } = this.#parts;
    const { approval: approvalId, hash: actionHash } = question;
    const request = { sessionId, approvalId, actionHash, answer: ANSWER[decision] };
    return (await link.repeat((client) => client.call('decideApproval', request, life), life)).accepted;
  }

  /** The `seq` of what was told last until now. */
  async #lastSeq(afterSeq: number): Promise<number> {
    const { link, id: sessionId, life } = this.#parts;
    return await link.once(async (client) => {
      let last = afterSeq;
      for await (const { seq } of client.stream('watch', { sessionId, afterSeq }, life))
        last = Math.max(last, seq);
      return last;
    });
  }

  /** Ends whatever is running. @returns false if nothing was */
  async cancel(): Promise<boolean> {
    const { link, id: sessionId, life } = this.#parts;
    return (await link.repeat((client) => client.call('cancelRun', { sessionId }, life), life)).cancelled;
  }
}
