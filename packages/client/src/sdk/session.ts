import type { ApprovalScope, IdSource, ApprovalMode as Mode, SessionEvent } from '@bulkhead/protocol';
import { ApprovalAnswer, ApprovalMode, Delivery } from '@bulkhead/protocol/client';
import { parseEvent } from '@bulkhead/protocol/transcript';
import { answerCalls } from './answer-calls.ts';
import type { ClientTool } from './client-tool.ts';
import { Run, type RunParts } from './run.ts';

/** A question of the engine, from its event. */
export type ApprovalRequest = Extract<SessionEvent, { type: 'approval_requested' }>;

/**
 * Scope of an approval: once, this session, or always, which writes a rule of policy. `deny`
 * denies.
 */
export type Decision = 'deny' | ApprovalScope;

export interface SendOptions {
  /**
   * How to handle actions that need approval: refuse them (`deny`, the default), ask this program
   * (`ask`: answer with `decide`; no answer denies), or execute them (`allow`).
   */
  readonly approve?: Mode;
  /** `provider/model`; absent, the configured one. */
  readonly model?: string;
  /** Address of that model's server. */
  readonly baseUrl?: string;
  /** Limit of model rounds. */
  readonly maxRounds?: number;
  /** Actions with effects are described and not executed. */
  readonly dryRun?: boolean;
  /**
   * During a run: wait for its end (`queue`), join it (`steer`), cancel it (`interrupt`), or fail
   * with `busy` (`refuse`).
   */
  readonly delivery?: 'queue' | 'steer' | 'interrupt' | 'refuse';
  /** PNG, JPEG, GIF or WebP. */
  readonly images?: readonly { readonly mediaType: string; readonly data: Uint8Array }[];
  /**
   * Tools of this program for this message, at most 128, and 128 kB together. Calls are answered as
   * long as the `Bulkhead` is open, even if no one reads the run.
   */
  readonly tools?: readonly ClientTool[];
  /**
   * Your own id of the message: a repeated id gets the same run, and the message does not run
   * twice. A tool call that was delivered before is not repeated: the model learns that its outcome
   * is unknown.
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

/** The parts of a `Session`; programs get one from a `Bulkhead`. */
export interface SessionParts extends Pick<RunParts, 'link' | 'onConnection' | 'life'> {
  readonly id: string;
  readonly folder: string;
  readonly newId: IdSource;
  /** Calls of tools that this program has begun to answer. */
  readonly takenCalls: Set<string>;
}

/** One conversation. Any number of programs and people may send messages to it and watch it. */
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
   * @returns its run once the message is on disk; the run continues even if no one reads it
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
   * Events of the session, in order: each durable one once, deltas live. Leaves out unknown events.
   *
   * @param options.after the `seq` to continue after; 0, or absent, for all
   * @param options.follow wait for new events, until the caller leaves, `signal` fires or the
   *   `Bulkhead` is closed
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
   * Answers a question. The answer is bound to the hash of the action in question.
   * @returns false if it was already answered, expired or withdrawn
   */
  async decide(question: Pick<ApprovalRequest, 'approval' | 'hash'>, decision: Decision): Promise<boolean> {
    const { link, id: sessionId, life } = this.#parts;
    const { approval: approvalId, hash: actionHash } = question;
    const request = { sessionId, approvalId, actionHash, answer: ANSWER[decision] };
    return (await link.repeat((client) => client.call('decideApproval', request, life), life)).accepted;
  }

  /** The `seq` of the last published event. */
  async #lastSeq(afterSeq: number): Promise<number> {
    const { link, id: sessionId, life } = this.#parts;
    return await link.once(async (client) => {
      let last = afterSeq;
      for await (const { seq } of client.stream('watch', { sessionId, afterSeq }, life))
        last = Math.max(last, seq);
      return last;
    });
  }

  /** Ends the current run. @returns false if there is none */
  async cancel(): Promise<boolean> {
    const { link, id: sessionId, life } = this.#parts;
    return (await link.repeat((client) => client.call('cancelRun', { sessionId }, life), life)).cancelled;
  }
}
