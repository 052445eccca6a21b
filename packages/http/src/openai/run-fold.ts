import type { EventUsage, SessionEvent } from '@bulkhead/protocol';
import { runFailure } from './api-error.ts';
import type { WaitingCall } from './open-runs.ts';

/** Sent when a started answer begins again: the sent text can't be withdrawn. */
const AGAIN = '\n\n[The answer broke off and begins again.]\n\n';

export type Finish = 'stop' | 'length' | 'content_filter';

/** The start of an answer. */
export interface RunPlace {
  readonly messageId: string;
  /** The run, if it has begun. */
  readonly turn: string | undefined;
  /** The sequence number before its first event. */
  readonly seq: number;
  /** Calls that already wait and that its program has not received. */
  readonly waiting: readonly WaitingCall[];
  /**
   * True if it was followed before: the start of its deltas is unknown, so each round is sent when
   * it is complete.
   */
  readonly isAgain: boolean;
}

/**
 * One run as its calling program sees it: the texts of its rounds, and the calls that wait for the
 * program.
 */
export class RunFold {
  readonly #message: string;
  /** The run of the message; undefined before it began. */
  #turn: string | undefined;
  /** The text already sent of the current round. */
  #sent = '';
  /** True after a gap: the rest of the round is sent when it is complete. */
  #holds: boolean;
  readonly #isAgain: boolean;
  #hasText = false;
  #stop: Finish = 'stop';
  #error: { readonly code: string; readonly message: string } | undefined;
  /** Actions that have started and not ended. */
  readonly #open = new Set<string>();
  readonly #waiting = new Map<string, WaitingCall>();
  #finish: Finish | undefined;
  /** All events up to here are folded. */
  #seq: number;
  #time: string | undefined;
  readonly usage = { input: 0, output: 0, cached: 0, reasoning: 0 };

  constructor({ messageId, turn, seq, waiting, isAgain }: RunPlace) {
    this.#message = messageId;
    this.#turn = turn;
    this.#seq = seq;
    this.#isAgain = isAgain;
    this.#holds = isAgain;
    for (const call of waiting) this.#wait(call);
  }

  /** Where a later answer continues. */
  get place(): { readonly turn: string; readonly seq: number } {
    return { turn: this.#turn ?? '', seq: this.#seq };
  }

  /** Undefined while the run continues. */
  get finish(): Finish | undefined {
    return this.#finish;
  }

  /** Time when its last message was recorded; undefined if none was. */
  get time(): string | undefined {
    return this.#time;
  }

  /** Calls that wait, if no other action of the run is under way. */
  get waiting(): readonly WaitingCall[] {
    return this.#waiting.size === this.#open.size ? [...this.#waiting.values()] : [];
  }

  /**
   * @returns text to send to the program
   * @throws BulkheadError if the run failed
   */
  take(event: SessionEvent): string {
    if (event.ephemeral !== true) this.#seq = event.seq;
    if (event.type === 'gap') this.#holds = true;
    if (this.#begins(event)) this.#turn = event.turn;
    if (this.#turn === undefined) return this.#takeUnrun(event);
    return event.turn === this.#turn ? this.#takeOwn(event) : '';
  }

  /** True if the event starts the run of the message, or if the message joins a run. */
  #begins(event: SessionEvent): boolean {
    if (event.type === 'message_end') return event.role === 'user' && event.input === this.#message;
    return (event.type === 'agent_start' || event.type === 'run_resumed') && event.message === this.#message;
  }

  /** Handles a message that ends without a run: it was cancelled, or could not be read. */
  #takeUnrun(event: SessionEvent): string {
    if (event.type === 'settled' && event.message === this.#message) this.#end(event);
    return '';
  }

  #takeOwn(event: SessionEvent): string {
    switch (event.type) {
      case 'text_delta':
        return this.#holds ? '' : this.#text(event.text);
      case 'message_end':
        if (event.role !== 'assistant') return '';
        this.#time = event.time;
        return this.#endOfMessage(event);
      case 'action_started':
        this.#open.add(event.action);
        return '';
      case 'action_completed':
        this.#open.delete(event.action);
        this.#waiting.delete(event.action);
        return '';
      case 'client_call':
        this.#wait({
          // Unique, and the same on every read.
          id: `call_${event.action}`,
          call: event.call,
          action: event.action,
          name: event.name,
          argumentsJson: JSON.stringify(event.arguments),
          expires: Date.parse(event.expires),
        });
        return '';
      case 'error':
        this.#error = event;
        return '';
      case 'settled':
        // A joined message is settled by the run's end; the run's own end comes last.
        if (event.outcome !== 'merged') this.#end(event);
        return '';
      default:
        return '';
    }
  }

  #wait(call: WaitingCall): void {
    this.#open.add(call.action);
    this.#waiting.set(call.action, call);
  }

  #text(text: string): string {
    if (text === '') return '';
    const before = this.#sent === '' && this.#hasText ? '\n\n' : '';
    this.#sent += text;
    this.#hasText = true;
    return before + text;
  }

  #endOfMessage({ text, stopReason, usage }: Extract<SessionEvent, { type: 'message_end' }>): string {
    this.#count(usage);
    const failed = stopReason === 'error';
    const sent = this.#sent;
    const rest = failed ? '' : this.#restOf(text, sent);
    this.#sent = '';
    this.#holds = this.#isAgain;
    if (stopReason === 'length' || stopReason === 'content_filter') this.#stop = stopReason;
    else if (!failed) this.#stop = 'stop';
    if (!failed || sent === '') return rest;
    this.#hasText = false;
    return AGAIN;
  }

  #restOf(text: string, sent: string): string {
    if (text.startsWith(sent)) return this.#text(text.slice(sent.length));
    return AGAIN + text;
  }

  #count(usage: EventUsage | undefined): void {
    if (usage === undefined) return;
    this.usage.input += usage.inputTokens;
    this.usage.output += usage.outputTokens;
    this.usage.cached += usage.cachedInputTokens;
    this.usage.reasoning += usage.reasoningTokens;
  }

  #end({ outcome, error = this.#error }: Extract<SessionEvent, { type: 'settled' }>): void {
    if (outcome === 'aborted') throw runFailure('cancelled', 'the run was cancelled');
    if (outcome === 'failed' || (outcome === 'limit' && error !== undefined)) {
      throw runFailure(error?.code ?? 'internal', error?.message ?? 'the run failed');
    }
    this.#finish = outcome === 'limit' ? 'length' : this.#stop;
  }
}
