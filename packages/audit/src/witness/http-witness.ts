import type { Witness } from './witness.ts';

/** What is asked of a remote witness, and what it answers. Bounds sizes and follows no redirect. */
export type HttpExchange = (
  request: { readonly method: 'GET' | 'POST'; readonly url: string; readonly body?: string },
  signal: AbortSignal,
) => Promise<{ readonly status: number; readonly body: string }>;

/**
 * A server that keeps each signed checkpoint it is sent (`POST`, `text/plain`, answered by 2xx) and tells the last one
 * (`GET`: 200 and the note, or 404 if it has none).
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
