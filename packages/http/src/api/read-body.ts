import type { IncomingMessage } from 'node:http';
import { BulkheadError } from '@bulkhead/protocol';
import { refusal } from '../answer.ts';
import { mediaType } from '../checks/host-and-origin.ts';

/**
 * Reads the JSON of a request; undefined if it has no body. Input is never decompressed: the limit
 * applies to the bytes that arrive.
 *
 * @param limit bytes
 * @param arrived receives the size of each part in bytes; if it throws, the request is refused
 * @throws BulkheadError `usage`: 413 if the body is larger or has too many parts, 415 for another
 *   type or a compressed body, 400 if it is not JSON
 */
export async function readJsonBody(
  request: IncomingMessage,
  limit: number,
  arrived: (bytes: number) => void = () => {},
): Promise<unknown> {
  const { headers } = request;
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw refusal(415, 'usage', 'a compressed body is not accepted');
  }
  if (Number(headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  const bytes = await readBytes(request, limit, arrived);
  if (bytes.length === 0) return undefined;
  if (mediaType(headers['content-type']) !== 'application/json') {
    throw refusal(415, 'usage', 'the body must be JSON', { fix: 'Send Content-Type: application/json.' });
  }
  checkShape(bytes);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw refusal(400, 'usage', 'the body is not valid JSON');
  }
}

async function readBytes(
  request: IncomingMessage,
  limit: number,
  arrived: (bytes: number) => void,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // A refused request is not destroyed: its socket still has to carry the answer.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      if (!Buffer.isBuffer(chunk)) continue;
      size += chunk.length;
      if (size > limit) throw tooLarge(limit);
      arrived(chunk.length);
      chunks.push(chunk);
    }
  } catch (error) {
    if (BulkheadError.is(error)) throw error;
    throw refusal(400, 'cancelled', 'the request ended before its body did');
  }
  return Buffer.concat(chunks);
}

function tooLarge(limit: number) {
  const most = limit === 0 ? 'takes no body' : `takes a body of at most ${limit} bytes`;
  return refusal(413, 'usage', `this call ${most}`);
}

/** Members and elements of one body, all levels together. */
const MAX_VALUES = 250_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;

/**
 * Counts the values of a JSON text without parsing it: eight million empty lists are 24 MB of text
 * but gigabytes of memory, and parsing them blocks the engine.
 *
 * @throws BulkheadError `usage` (413)
 */
export function checkShape(json: Uint8Array): void {
  let values = 0;
  let isInText = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) isInText = !isInText;
    // An escaped quote does not end a text.
    else if (byte === BACKSLASH && isInText) at += 1;
    else if (!isInText && (byte === COMMA || byte === OPEN_LIST || byte === OPEN_OBJECT)) values += 1;
  }
  if (values > MAX_VALUES)
    throw refusal(413, 'usage', `a body has at most ${MAX_VALUES} members and elements in all`);
}
