import type { EventThought, EventUsage, StateName } from '../events.ts';
import { emptyList, type ItemList } from './item-list.ts';
import type { ApprovalQuestion, CompactionItem, TranscriptItem } from './items.ts';

/** The current run. */
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
  /** The run is not boxed. */
  readonly unboxed: boolean;
  readonly thoughts: readonly EventThought[];
}

export interface Spent {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens: number;
  /** US dollars, as far as prices are known. */
  readonly cost: number;
  /** True if the price of some usage is unknown: then `cost` is a lower bound. */
  readonly unpriced: boolean;
}

/**
 * One session in the user's view: the result of all its events. Immutable; folding an event returns
 * the next one, which shares all unchanged parts, so `===` shows what to redraw.
 */
export interface TranscriptView {
  /** The last durable event in it: resume listening after this one. */
  readonly seq: number;
  readonly title: string;
  readonly items: ItemList<TranscriptItem>;
  /** The last entry that an event reported or moved to; empty for none. */
  readonly leaf: string;
  readonly state: StateName;
  readonly run: RunView | undefined;
  /** Pending approvals, oldest first. */
  readonly approvals: readonly ApprovalQuestion[];
  /**
   * Ids of waiting messages, in processing order: those to join the run; those for their own run.
   */
  readonly queue: { readonly steer: readonly string[]; readonly followUp: readonly string[] };
  /** Usage of the newest answer: its input and output fill the model's window. */
  readonly lastUsage: EventUsage | undefined;
  /** Usage of all messages that have ended. */
  readonly settledSpent: Spent;
  /** Usage of the current run's answers; its end counts them again, with failed attempts. */
  readonly runSpent: Spent;
  /** The compaction under way, if any. */
  readonly compacting: Required<Pick<CompactionItem, 'reason' | 'messages'>> | undefined;
  /** Places that later events refer to by name, as long as they may. */
  readonly open: OpenPlaces;
}

interface OpenPlaces {
  /** Index of the current answer. */
  readonly answer: number | undefined;
  /** Index of the current attempt. */
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

/** A session before its first event. */
export function emptyTranscript(): TranscriptView {
  return {
    seq: 0,
    title: '',
    items: emptyList(),
    leaf: '',
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

/** True if the session works, or is about to. */
export function isBusy({ run, queue }: TranscriptView): boolean {
  return run !== undefined || queue.steer.length > 0 || queue.followUp.length > 0;
}
