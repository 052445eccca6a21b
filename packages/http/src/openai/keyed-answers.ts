import { BulkheadError } from '@bulkhead/protocol';
import { invalidRequest } from './api-error.ts';
import type { CallerBook } from './caller-book.ts';
import type { WaitingCall } from './open-runs.ts';

const MAX_KEY = 255;

/** The fields that an answer has from its beginning. */
export interface AnswerHead {
  readonly id: string;
  /** Seconds since the epoch. */
  readonly created: number;
  readonly model: string;
}

/** Locates the answer of a request: its session, and where it began there. */
export interface AnswerPlace {
  readonly sessionId: string;
  readonly messageId: string;
  /**
   * For an answer that continues a run: the run, where its events begin, and the calls that its
   * program has not received.
   */
  readonly goesOn?: { readonly turn: string; readonly seq: number; readonly waiting: readonly WaitingCall[] };
  /** Where it ended, if it ended with calls. */
  readonly endSeq?: number;
}

/** The record that is kept under a key. */
interface Kept {
  readonly head: AnswerHead;
  readonly place: AnswerPlace;
}

/** The answer of a request with a key. */
export interface KeyedAnswer {
  /** Head of the first request with this key. */
  readonly head: AnswerHead;
  /** Undefined for the first request. */
  readonly known: AnswerPlace | undefined;
  /** On disk when it returns. @throws BulkheadError `store_failed`, `rate_limit` */
  keep(place: AnswerPlace): void;
  /**
   * Records that the answer ended with calls at this place in its session: later events belong to
   * later answers. @throws BulkheadError `store_failed`
   */
  end(seq: number): void;
}

/** A request whose answer is produced once. */
export interface KeyedRequest {
  readonly caller: string;
  readonly key: string;
  /** Identifies the content: a key is valid for one content only. */
  readonly fingerprint: string;
}

/**
 * Gives a retried request the answer of the first one with its key, also while it is under way;
 * none is run twice. The record holds the place of the answer, not the answer: its session may be
 * deleted.
 */
export class KeyedAnswers {
  readonly #book: Pick<CallerBook, 'answerOf' | 'keepAnswer'>;
  /** The last start of each key; the next one waits for it. */
  readonly #starts = new Map<string, Promise<unknown>>();

  constructor(book: Pick<CallerBook, 'answerOf' | 'keepAnswer'>) {
    this.#book = book;
  }

  /**
   * Starts the answer of a request; starts with the same key run one after another.
   *
   * @param newHead for the first of them
   * @throws BulkheadError `usage` (422) if the key belongs to another request
   */
  async start<Started>(
    request: KeyedRequest,
    newHead: AnswerHead,
    start: (answer: KeyedAnswer) => Promise<Started>,
  ): Promise<Started> {
    const id = JSON.stringify([request.caller, request.key]);
    const before = this.#starts.get(id) ?? Promise.resolve();
    const started = before.then(() => start(this.#find(request, newHead)));
    // The next start with this key does not fail with this one.
    const settled = started.catch(() => undefined);
    this.#starts.set(id, settled);
    try {
      return await started;
    } finally {
      if (this.#starts.get(id) === settled) this.#starts.delete(id);
    }
  }

  #find({ caller, key, fingerprint }: KeyedRequest, newHead: AnswerHead): KeyedAnswer {
    const found = this.#book.answerOf(caller, key);
    if (found !== undefined && found.fingerprint !== fingerprint) throw otherRequest();
    const kept = found === undefined ? undefined : readKept(found.record);
    const head = kept?.head ?? newHead;
    let latest = kept?.place;
    const keep = (place: AnswerPlace): void => {
      const record: Kept = { head, place };
      this.#book.keepAnswer(caller, key, { fingerprint, record: JSON.stringify(record) });
      latest = place;
    };
    return {
      head,
      known: kept?.place,
      keep,
      end: (endSeq) => {
        if (latest !== undefined) keep({ ...latest, endSeq });
      },
    };
  }
}

/** @returns undefined for a request without a key @throws BulkheadError `usage` (400) */
export function checkKey(key: string | undefined): string | undefined {
  if (key === undefined || (key.length <= MAX_KEY && /^[\x21-\x7e]+$/.test(key))) return key;
  throw invalidRequest(
    `an idempotency key is 1 to ${MAX_KEY} letters, digits and signs of ASCII`,
    'idempotency-key',
  );
}

/** Reads a record that this engine wrote. */
function readKept(record: string): Kept {
  const kept: Kept = JSON.parse(record);
  return kept;
}

function otherRequest(): BulkheadError {
  return new BulkheadError('usage', 'this idempotency key was used for another request', {
    fix: 'Use a key of its own for each request.',
    details: { status: 422, param: 'idempotency-key', apiCode: 'idempotency_key_reused' },
  });
}
