import { jsonDepth } from '@bulkhead/log/session/json-depth';
import { callsOf } from '@bulkhead/log/session/message-view';
import { BulkheadError, type EventUsage, type StopReasonName } from '@bulkhead/protocol';
import type { AssistantMessage, ToolCall } from '@bulkhead/protocol/chat';

/** Longest id and name of a call, in characters; providers use some tens. */
const MAX_NAME = 256;
/** Deepest nesting of a call's arguments; tools need three. */
const MAX_DEPTH = 100;

/**
 * One model answer and what became of its calls. The calls come from the gateway, so this is what makes a
 * proposal genuine: an agent can only propose what the model asked for, word for word, once [P5].
 */
export class Round {
  readonly number: number;
  /** Of the model call that gave the answer. */
  readonly usage: EventUsage;
  readonly stopReason: StopReasonName;
  readonly #calls: ReadonlyMap<string, ToolCall>;
  readonly #proposed = new Set<string>();
  readonly #answered = new Set<string>();
  readonly #withheld: ReadonlySet<string>;

  /**
   * @param withheld calls whose arguments are not known whole any more
   * @throws BulkheadError `format_error` if the model gave two calls one id, or a call none
   */
  constructor(
    number: number,
    answer: AssistantMessage,
    usage: EventUsage,
    stopReason: StopReasonName,
    withheld: ReadonlySet<string> = new Set(),
  ) {
    this.#withheld = withheld;
    this.number = number;
    this.usage = usage;
    this.stopReason = stopReason;
    const calls = callsOf(answer);
    this.#calls = new Map(calls.map((call) => [call.callId, call]));
    if (this.#calls.size !== calls.length || this.#calls.has('')) {
      throw new BulkheadError('format_error', 'the model gave two of its tool calls the same id, or none');
    }
    for (const { callId, name, argumentsJson } of calls) {
      if (callId.length > MAX_NAME || name.length > MAX_NAME || jsonDepth(argumentsJson) > MAX_DEPTH) {
        throw new BulkheadError('format_error', 'the model gave a tool call a monstrous id, name or nesting');
      }
    }
  }

  /** @throws BulkheadError `protocol_violation` unless the model made just this call and it wasn't proposed before */
  propose(call: ToolCall): void {
    const made = this.#calls.get(call.callId);
    if (made === undefined || made.name !== call.name || made.argumentsJson !== call.argumentsJson) {
      throw new BulkheadError(
        'protocol_violation',
        `the agent proposed a call the model did not make (${call.name})`,
      );
    }
    if (this.#proposed.has(call.callId)) {
      throw new BulkheadError('protocol_violation', `the agent proposed call ${call.callId} twice`);
    }
    this.#proposed.add(call.callId);
  }

  /** True if it must not be made: what would be done is not what the model asked for. */
  isWithheld(callId: string): boolean {
    return this.#withheld.has(callId);
  }

  /** True for the last call of an answer that the output limit ended inside its arguments. */
  isCut({ callId, argumentsJson }: ToolCall): boolean {
    return this.stopReason === 'length' && callId === this.lastCallId && !isJson(argumentsJson);
  }

  answer(callId: string): void {
    this.#answered.add(callId);
  }

  /** Calls without a result, in call order. */
  unanswered(): ToolCall[] {
    return [...this.#calls.values()].filter((call) => !this.#answered.has(call.callId));
  }

  /** Of the last call in the model's order; undefined without calls. */
  get lastCallId(): string | undefined {
    return [...this.#calls.keys()].at(-1);
  }

  get finished(): boolean {
    return this.#answered.size === this.#calls.size;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
