import { BulkheadError } from '@bulkhead/protocol';

/** Longest answer of a provider that is read, in bytes: far more than the longest a model gives. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** Longest error. */
const MAX_ERROR_BYTES = 1024 * 1024;

/** The same response with a body that has an end: a server that never stops must not fill the memory [FT68, FR11]. */
export function withBoundedBody(response: Response): Response {
  const { body } = response;
  if (body === null) return response;
  const most = response.ok ? MAX_ANSWER_BYTES : MAX_ERROR_BYTES;
  let read = 0;
  const counted = body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        read += chunk.byteLength;
        if (read > most) controller.error(tooLong(most));
        else controller.enqueue(chunk);
      },
    }),
  );
  return new Response(counted, response);
}

function tooLong(most: number): BulkheadError {
  return new BulkheadError('unknown_provider_error', `the provider sent more than ${most} bytes`, {
    fix: 'Check whether this is the address of a model provider.',
  });
}
