import type { EventThought, EventUsage, StateName } from '../events.ts';
import { emptyList, type ItemList } from './item-list.ts';
import type { ApprovalQuestion, CompactionItem, TranscriptItem } from './items.ts';

/** The run that goes on. */
export interface RunView {
  /** Id of the run, as events call it (`turn`). */
  readonly id: string;
  /** Id of the accepted message that started it. */
  readonly message: string;
  /** RFC 3339. */
  readonly since: string;
  /** 0 before the first. */
  readonly round: number;
  /** `provider/model` of the round; empty before the first. */
  readonly model: string;
  /** Nothing of the run is boxed. */
  readonly unboxed: boolean;
  readonly thoughts: readonly EventThought[];
}

export interface Spent {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens: number;
  /** US dollars, as far as prices are known. */
  readonly cost: number;
  /** True if something was used whose price is unknown: then `cost` is a lower bound. */
  readonly unpriced: boolean;
}

/**
 * One session as a person reads it: what all of its events amount to. Never changed; folding an event gives the next one, which
 * shares with it all that did not change, so `===` tells what to draw again.
 */
export interface TranscriptView {
  /** The last durable event that is in it: what to ask for when listening begins again is what comes after. */
  readonly seq: number;
  readonly title: string;
  readonly items: ItemList<TranscriptItem>;
  readonly state: StateName;
  readonly run: RunView | undefined;
  /** What waits for a person's answer, oldest first. */
  readonly approvals: readonly ApprovalQuestion[];
  /** Ids of messages that wait, in the order they will be taken: to join the run; for a run of their own. */
  readonly queue: { readonly steer: readonly string[]; readonly followUp: readonly string[] };
  /** Usage of the newest answer: its input and output are what the conversation takes of the model's window. */
  readonly lastUsage: EventUsage | undefined;
  /** By all messages that came to their end. */
  readonly settledSpent: Spent;
  /** By the answers of the run that goes on; its end counts them again, with what failed attempts took. */
  readonly runSpent: Spent;
  /** What is being made shorter, while it is. */
  readonly compacting: Required<Pick<CompactionItem, 'reason' | 'messages'>> | undefined;
  /** What later events refer to by a name, and where it stands; only while they may. */
  readonly open: OpenPlaces;
}

interface OpenPlaces {
  /** The answer that is being said, by its place. */
  readonly answer: number | undefined;
  /** The attempt that goes on, by its place. */
  readonly retry: number | undefined;
  /** Calls without a result, by id. */
  readonly calls: ReadonlyMap<string, number>;
  /** Actions of those calls, by id. */
  readonly actions: ReadonlyMap<string, number>;
}

export const NOTHING_SPENT: Spent = {
  inputTokens: 0,
  outputTokens: 0,
  cachedInputTokens: 0,
  cost: 0,
  unpriced: false,
};

export const NOTHING_OPEN: OpenPlaces = {
  answer: undefined,
  retry: undefined,
  calls: new Map(),
  actions: new Map(),
};

/** A session of which nothing was heard yet. */
export function emptyTranscript(): TranscriptView {
  return {
    seq: 0,
    title: '',
    items: emptyList(),
    state: 'idle',
    run: undefined,
    approvals: [],
    queue: { steer: [], followUp: [] },
    lastUsage: undefined,
    settledSpent: NOTHING_SPENT,
    runSpent: NOTHING_SPENT,
    compacting: undefined,
    open: NOTHING_OPEN,
  };
}

/** Whether the session works, or is about to. */
export function isBusy({ run, queue }: TranscriptView): boolean {
  return run !== undefined || queue.steer.length > 0 || queue.followUp.length > 0;
}
