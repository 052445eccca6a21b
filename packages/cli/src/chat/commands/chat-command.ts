import type { EngineLink } from '@bulkhead/client';
import type { Output } from '../../output/output.ts';
import type { ChosenModel } from './chosen-model.ts';
import type { WaitingMessages } from './take-back.ts';

/**
 * How the session receives a message: `steer` joins the current run, `queue` follows it, `now` ends
 * it.
 */
export type MessageDelivery = 'steer' | 'queue' | 'now';

/** The parts of a chat that its commands may use. */
export interface ChatSeat {
  readonly link: EngineLink;
  readonly output: Output;
  /** Fires when the person leaves the chat. */
  readonly signal: AbortSignal;
  /** Id of the current session. */
  readonly sessionId: string;
  /** Working folder of its tools, absolute; empty if unknown. */
  readonly folder: string;
  readonly model: ChosenModel;
  /** True if the model's thinking is shown. */
  readonly view: { showThinking: boolean };
  readonly queue: WaitingMessages;
  /** Names and aliases of the chat's commands: a template can't have one. */
  readonly taken: ReadonlySet<string>;
  /** Asks for one entry; Ctrl-C gives undefined. Undefined itself if no one can answer. */
  readonly ask: ((question: string) => Promise<string | undefined>) | undefined;
  /** @throws BulkheadError if the engine refuses it */
  send(text: string, delivery: MessageDelivery): Promise<void>;
  /** Shows another session. @param sessionId an id or its beginning; undefined for a new session */
  open(sessionId: string | undefined): Promise<void>;
  leave(): void;
}

/** A command that a person enters after `/`. */
export interface ChatCommand {
  /** Without the `/`. */
  readonly name: string;
  readonly aliases?: readonly string[];
  /** The arguments, as help shows them: `TEXT`, `[ENTRY]`. */
  readonly argument?: string;
  /** For help, one line. */
  readonly about: string;
  /** Set if an argument is required: the rest of a message like `/title needs a text`. */
  readonly needs?: string;
  /**
   * @param argument the text after the name, trimmed
   * @throws BulkheadError shown to the person in one line; the chat continues
   */
  run(argument: string, seat: ChatSeat): Promise<void> | void;
}

/** The first word of an argument; empty if there is none. */
export function firstWord(argument: string): string {
  return argument.split(/\s+/, 1)[0] ?? '';
}
