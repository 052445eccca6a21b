import type { Origin } from '@bulkhead/protocol';
import type { PromptContext, TurnContext } from '@bulkhead/protocol/agent';

/** The session and the message that a run is about. */
export interface RunQuestion {
  readonly sessionId: string;
  readonly workingFolder: string;
  readonly offTheRecord: boolean;
  /** The person's words; empty if there are none yet. */
  readonly message: string;
  /** Where the person reads the answer, if the client said so. */
  readonly shownIn?: string | undefined;
  /** Where the message came from; undefined if that isn't known. */
  readonly origin?: Origin | undefined;
}

/** All facts that the model is shown beside the conversation. */
export interface Told {
  /** The same from run to run, as long as no file of it changes [C5]. */
  readonly prompt: PromptContext;
  readonly turn: TurnContext;
}

/** Provides the facts that the model is shown in a run. */
export interface Mind {
  /** Never rejects: what can't be looked up is left out. */
  tell(question: RunQuestion): Promise<Told>;
  /** The memory that the last run of a session was shown; undefined if it is no longer known. */
  lastTurn?(sessionId: string): TurnContext | undefined;
}
