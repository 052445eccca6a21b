import type { EngineLink } from '@bulkhead/client';
import type { Output } from '../../output/output.ts';
import type { ChosenModel } from './chosen-model.ts';
import type { WaitingMessages } from './take-back.ts';

/** How a message goes to the session: `steer` joins the run that goes on, `queue` comes after it, `now` ends it. */
export type MessageDelivery = 'steer' | 'queue' | 'now';

/** What a command may use of the chat it is entered in. */
export interface ChatSeat {
  readonly link: EngineLink;
  readonly output: Output;
  /** Fires when the person leaves the chat. */
  readonly signal: AbortSignal;
  /** Of the session at hand. */
  readonly sessionId: string;
  /** Where its tools act, absolute; empty where that is not known. */
  readonly folder: string;
  readonly model: ChosenModel;
  /** Whether the model's thinking is shown. */
  readonly view: { showThinking: boolean };
  readonly queue: WaitingMessages;
  /** Names and other names of the chat's commands: no template is reached by one. */
  readonly taken: ReadonlySet<string>;
  /** Asks for one entry; Ctrl-C gives undefined. Undefined itself where nobody can answer. */
  readonly ask: ((question: string) => Promise<string | undefined>) | undefined;
  /** @throws BulkheadError if the engine doesn't take it */
  send(text: string, delivery: MessageDelivery): Promise<void>;
  /** Shows another session. @param sessionId or a beginning of it; undefined for a new one */
  open(sessionId: string | undefined): Promise<void>;
  leave(): void;
}

/** One word a person enters after `/`. */
export interface ChatCommand {
  /** Without the `/`. */
  readonly name: string;
  readonly aliases?: readonly string[];
  /** What follows the name, as help shows it: `TEXT`, `[ENTRY]`. */
  readonly argument?: string;
  /** For help, one line. */
  readonly about: string;
  /** Set if it can't do without an argument: what is missing then, as in `/title needs a text`. */
  readonly needs?: string;
  /**
   * @param argument all that follows the name, without the spaces around it
   * @throws BulkheadError told to the person in one line; the chat goes on
   */
  run(argument: string, seat: ChatSeat): Promise<void> | void;
}

/** The first word of an argument; empty if there is none. */
export function firstWord(argument: string): string {
  return argument.split(/\s+/, 1)[0] ?? '';
}
