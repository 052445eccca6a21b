import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { BulkheadError } from '@bulkhead/protocol';

export interface BoundedBody {
  readonly bytes: Buffer;
  /** True if the body was longer. */
  readonly truncated: boolean;
}

/** The encodings that a request accepts; any other is refused. */
export const ACCEPTED_ENCODINGS = 'gzip, br';

/**
 * Reads and unpacks a response's body. Keeps and unpacks at most `maxBytes`, so a decompression
 * bomb does no harm.
 *
 * @throws BulkheadError `tool_failed` for an encoding that was not requested or a body that breaks
 * off; the signal's reason
 */
export async function readBounded(
  response: IncomingMessage,
  maxBytes: number,
  signal: AbortSignal,
): Promise<BoundedBody> {
  const stream = unpacked(response);
  const abort = (): void => {
    response.destroy();
    stream.destroy();
  };
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await collect(stream, maxBytes);
  } catch (cause) {
    signal.throwIfAborted();
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new BulkheadError('tool_failed', `the answer broke off: ${why}`, { cause, retryable: true });
  } finally {
    signal.removeEventListener('abort', abort);
    abort();
  }
}

function unpacked(response: IncomingMessage): Readable {
  const encoding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return response;
  const decoder =
    encoding === 'gzip' || encoding === 'x-gzip'
      ? createGunzip()
      : encoding === 'br'
        ? createBrotliDecompress()
        : undefined;
  if (decoder === undefined) {
    response.destroy();
    throw new BulkheadError(
      'tool_failed',
      `the answer is packed as ${JSON.stringify(encoding.slice(0, 60))}, which was not asked for`,
    );
  }
  response.on('error', (error) => decoder.destroy(error));
  return response.pipe(decoder);
}

async function collect(stream: Readable, maxBytes: number): Promise<BoundedBody> {
  const parts: Buffer[] = [];
  let left = maxBytes;
  for await (const chunk of stream) {
    const part: Buffer = chunk;
    parts.push(part.subarray(0, left));
    if (part.length > left) return { bytes: Buffer.concat(parts), truncated: true };
    left -= part.length;
  }
  return { bytes: Buffer.concat(parts), truncated: false };
}
