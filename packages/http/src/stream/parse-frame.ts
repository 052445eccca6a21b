import { BulkheadError } from '@bulkhead/protocol';
import type { RawData } from 'ws';

/** A watch request: a session from a sequence number on, or, as `*`, all sessions from now on. */
export interface Watch {
  readonly session: string;
  readonly after: number;
}

const MEMBERS = ['watch', 'after', 'unwatch'];
const FIX = 'Send {"watch":"SESSION","after":SEQ} or {"unwatch":"SESSION"}.';

/**
 * Parses a client's frame of the event stream.
 * @throws BulkheadError `usage`
 */
export function parseFrame(data: RawData, isBinary: boolean): Watch | { readonly unwatch: string } {
  if (isBinary) throw wrong('a frame is text');
  const frame = objectOf(data);
  const unknown = Object.keys(frame).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined) throw wrong(`a frame has no member ${JSON.stringify(unknown.slice(0, 60))}`);
  const { watch, after, unwatch } = frame;
  if (isName(unwatch) && watch === undefined && after === undefined) return { unwatch };
  if (!isName(watch) || unwatch !== undefined)
    throw wrong('a frame says what to watch, or what not to watch any more');
  return { session: watch, after: afterOf(after ?? 0) };
}

/** @throws BulkheadError `usage` if it is not a sequence number */
export function afterOf(value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 0xffff_ffff)
    return value;
  throw wrong('"after" is a sequence number: 0, or the seq of the last event seen');
}

interface Frame {
  readonly watch?: unknown;
  readonly after?: unknown;
  readonly unwatch?: unknown;
}

function objectOf(data: RawData): Frame {
  const bytes = Array.isArray(data)
    ? Buffer.concat(data)
    : Buffer.from(data instanceof ArrayBuffer ? new Uint8Array(data) : data);
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw wrong('a frame is a JSON object');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrong('a frame is a JSON object');
  return value;
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= 100;
}

function wrong(message: string): BulkheadError {
  return new BulkheadError('usage', message, { fix: FIX });
}
