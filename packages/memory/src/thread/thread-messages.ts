import { BulkheadError, errorCode } from '@bulkhead/protocol';
import type {
  FileText,
  IndexSize,
  MemoryNotice,
  SearchOptions,
  SyncOptions,
  SyncReport,
} from '../index/index.ts';
import type { MemoryHit, MemorySource } from '../memory-hit.ts';

/** Start data of the index's thread. */
export interface ThreadData {
  readonly path: string;
  readonly textCap?: number;
  /** The engine's embedder, asked through messages; if absent, the index uses its own. */
  readonly embedder?: { readonly id: string; readonly dimension: number };
}

/** A text whose owner provides it on request. */
export interface NamedText {
  readonly source: MemorySource;
  readonly path: string;
  readonly version: string;
}

/** The calls to the thread. */
export type ThreadCall =
  | {
      readonly method: 'sync';
      readonly texts: readonly (FileText | NamedText)[];
      readonly options: Omit<SyncOptions, 'signal'>;
    }
  | { readonly method: 'search'; readonly query: string; readonly options: Omit<SearchOptions, 'signal'> }
  | { readonly method: 'size' | 'clear' | 'close' };

/** The thread's own questions. */
export type ThreadQuestion =
  | { readonly method: 'read'; readonly path: string; readonly version: string }
  | { readonly method: 'embed'; readonly texts: readonly string[]; readonly purpose: 'document' | 'query' };

/** The result of a call or question. */
export type ThreadValue =
  | SyncReport
  | readonly MemoryHit[]
  | IndexSize
  | string
  | readonly Float32Array[]
  | undefined;

/** A serialized error: structured clones lose our fields. */
export interface SentError {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  readonly fix?: string;
}

/**
 * All messages, in both directions. Each `ask` is followed by one `answer` with its id, or by the
 * end of the thread.
 */
export type ThreadMessage<Asked> =
  | { readonly kind: 'ask'; readonly id: number; readonly asked: Asked }
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'answer'; readonly id: number; readonly value: ThreadValue }
  | { readonly kind: 'failure'; readonly id: number; readonly error: SentError }
  | { readonly kind: 'notice'; readonly notice: MemoryNotice };

export function sentError(error: unknown): SentError {
  if (BulkheadError.is(error)) {
    const fix = error.fix === undefined ? {} : { fix: error.fix };
    return { name: error.name, message: error.message, code: error.code, ...fix };
  }
  return error instanceof Error
    ? { name: error.name, message: error.message }
    : { name: 'Error', message: String(error) };
}

export function receivedError({ name, message, code, fix }: SentError): Error {
  const known = errorCode(code);
  if (known !== undefined) return new BulkheadError(known, message, fix === undefined ? {} : { fix });
  const error = new Error(message);
  error.name = name;
  return error;
}
