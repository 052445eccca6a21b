import { ConnectError, type Interceptor } from '@connectrpc/connect';
import { toConnectError } from './error-mapping.ts';

/** Errors leave with their code and how to mend them, never with a stack; also those that come in the middle of a stream. */
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
