import { ALLOWED_READ_ONLY } from '@bulkhead/protocol/routes';
import { ConnectError, type Interceptor } from '@connectrpc/connect';
import { toConnectError } from './error-mapping.ts';

/** Errors leave with code and fix, never with a stack, also in the middle of a stream. */
export const typedErrors: Interceptor = (next) => async (request) => {
  try {
    const response = await next(request);
    return response.stream ? { ...response, message: typedStream(response.message) } : response;
  } catch (error) {
    throw typed(error);
  }
};

async function* typedStream<T>(messages: AsyncIterable<T>): AsyncIterable<T> {
  try {
    yield* messages;
  } catch (error) {
    throw typed(error);
  }
}

function typed(error: unknown): ConnectError {
  return error instanceof ConnectError ? error : toConnectError(error);
}

/** Reports each error of a call before it becomes the client's error. A disk may be its cause. */
export function tellErrors(onError: (error: unknown) => void): Interceptor {
  return (next) => async (request) => {
    try {
      return await next(request);
    } catch (error) {
      onError(error);
      throw error;
    }
  };
}

/**
 * Refuses every call without the option `read_only`: for an engine that works on copies of its
 * home, which are discarded.
 *
 * @param refuse throws the reason; called for each such call
 */
export function refuseChanges(refuse: () => void): Interceptor {
  return (next) => async (request) => {
    if (!ALLOWED_READ_ONLY.has(request.method.localName)) refuse();
    return await next(request);
  };
}
