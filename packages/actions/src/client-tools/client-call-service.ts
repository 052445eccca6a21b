import { suspensionOf } from '@bulkhead/log/suspension/suspension';
import { BulkheadError, type Clock, type Timers, type ToolResult } from '@bulkhead/protocol';

/** Characters of a result that the model reads: the same limit as for other tools. */
const MAX_SHOWN = 50_000;
/** Characters of a result that are accepted. */
const MAX_TAKEN = 4 * 1024 * 1024;

/** A call that waits for an answer from its program. */
export interface AwaitedCall {
  readonly sessionId: string;
  readonly callId: string;
}

/** The result of a call, as its program reports it. */
export interface SubmittedResult {
  readonly text: string;
  readonly isError: boolean;
}

interface ClientCallServiceParts {
  readonly clock: Pick<Clock, 'now'>;
  readonly timers: Timers;
  /** How long a program may take to answer. */
  readonly timeoutMs: number;
}

/**
 * Pending calls of client tools. An answer is accepted once, only for the session and call it
 * names, and only while the call is pending.
 */
export class ClientCallService {
  readonly #parts: ClientCallServiceParts;
  readonly #waiting = new Map<string, (result: SubmittedResult) => void>();

  constructor(parts: ClientCallServiceParts) {
    this.#parts = parts;
  }

  /**
   * Waits for the answer to a call.
   *
   * @param tell called with the deadline, in milliseconds since the epoch, once answers are
   * accepted
   * @throws BulkheadError `timeout` or `cancelled`: the effect of the call is then unknown; a
   * Suspension if the engine stops
   */
  async answer(call: AwaitedCall, tell: (expires: number) => void, signal: AbortSignal): Promise<ToolResult> {
    const { timers, clock, timeoutMs } = this.#parts;
    const { promise, resolve, reject } = Promise.withResolvers<SubmittedResult>();
    const key = keyOf(call);
    if (this.#waiting.has(key)) throw new BulkheadError('internal', `call ${call.callId} waits already`);
    const cancel = (): void =>
      reject(
        suspensionOf(signal) ??
          new BulkheadError('cancelled', 'The run was cancelled while its program was at it'),
      );
    using _timer = timers.after(timeoutMs, () => reject(late(timeoutMs)));
    this.#waiting.set(key, resolve);
    signal.addEventListener('abort', cancel, { once: true });
    try {
      if (signal.aborted) cancel();
      else tell(clock.now() + timeoutMs);
      return shown(await promise);
    } finally {
      this.#waiting.delete(key);
      signal.removeEventListener('abort', cancel);
    }
  }

  /**
   * @returns false if no such call is pending
   * @throws BulkheadError `usage` for a result that is too long, or is no text
   */
  submit(call: AwaitedCall, result: SubmittedResult): boolean {
    if (result.text.length > MAX_TAKEN || !result.text.isWellFormed()) {
      throw new BulkheadError(
        'usage',
        `the result of ${call.callId} is longer than ${MAX_TAKEN} characters, or no text`,
        {
          fix: 'Send a shorter result: the call still waits.',
        },
      );
    }
    const key = keyOf(call);
    const take = this.#waiting.get(key);
    if (take === undefined) return false;
    this.#waiting.delete(key);
    take(result);
    return true;
  }
}

function keyOf({ sessionId, callId }: AwaitedCall): string {
  return JSON.stringify([sessionId, callId]);
}

function late(timeoutMs: number): BulkheadError {
  return new BulkheadError('timeout', `Its program gave no answer within ${timeoutMs / 1_000} s`);
}

function shown({ text, isError }: SubmittedResult): ToolResult {
  if (text.length <= MAX_SHOWN) return { text: text === '' ? '[no text]' : text, isError };
  const cut = text.slice(0, MAX_SHOWN).toWellFormed();
  return { text: `${cut}\n[cut here: ${text.length - MAX_SHOWN} characters more]`, isError };
}
