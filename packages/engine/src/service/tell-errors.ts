import type { Interceptor } from '@connectrpc/connect';

/** Tells of each error of a call, before it is turned into what a client reads. A disk may be to blame for it. */
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
