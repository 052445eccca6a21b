import type { Environment } from '../environment.ts';
import type { Ask } from './approval-desk.ts';

/** Asks on standard error, reads a line from standard input. What was typed before the question doesn't count. */
export function askOnTerminal(environment: Environment): Ask {
  return async (question, signal) => {
    const { createInterface } = await import('node:readline/promises');
    const input = createInterface({ input: environment.stdin, output: environment.stderr, terminal: false });
    const leave = new AbortController();
    input.once('close', () => leave.abort());
    try {
      return await input.question(question, { signal: AbortSignal.any([signal, leave.signal]) });
    } catch (cause) {
      if (leave.signal.aborted && !signal.aborted) return '';
      throw cause;
    } finally {
      input.close();
      environment.stdin.pause();
    }
  };
}
