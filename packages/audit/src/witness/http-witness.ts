import type { Witness } from './witness.ts';

/** A request to a remote witness, and its answer. Limits sizes and follows no redirect. */
export type HttpExchange = (
  request: { readonly method: 'GET' | 'POST'; readonly url: string; readonly body?: string },
  signal: AbortSignal,
) => Promise<{ readonly status: number; readonly body: string }>;

/**
 * A server that stores each signed checkpoint (`POST`, `text/plain`, answered by 2xx) and returns
 * the last one (`GET`: 200 and the note, or 404 if it has none).
 */
export function httpWitness(url: string, exchange: HttpExchange): Witness {
  return {
    name: url,
    async deliver(note, signal) {
      const { status } = await exchange({ method: 'POST', url, body: note }, signal);
      if (status < 200 || status > 299) throw new Error(`it answered ${status}`);
    },
    async latest(signal) {
      const { status, body } = await exchange({ method: 'GET', url }, signal);
      if (status === 404) return undefined;
      if (status !== 200) throw new Error(`it answered ${status}`);
      return body;
    },
  };
}
