import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment, InputStream } from '../environment.ts';
import type { Ask } from './approval-service.ts';

/** Long enough for a terminal to deliver typed input, too short to notice. */
const DRAIN_MS = 50;

/** Time that a person has to read an action before an answer counts, as in the terminal UI. */
const READ_MS = 600;

/**
 * Asks on standard error and reads a line from standard input. Ignores input typed before the
 * question: a model that chooses its moment can't have a person approve by a key meant for another
 * purpose [A6].
 */
export function askOnTerminal(environment: Environment): Ask {
  return async (question, signal) => {
    const { createInterface } = await import('node:readline/promises');
    // Not in raw mode: Ctrl-C must work meanwhile.
    if (environment.stdin.isTTY === true) await sleep(READ_MS);
    await dropTypedAhead(environment.stdin);
    const input = createInterface({ input: environment.stdin, output: environment.stderr, terminal: false });
    const leave = new AbortController();
    input.once('close', () => leave.abort());
    try {
      return await input.question(question, { signal: AbortSignal.any([signal, leave.signal]) });
    } catch (cause) {
      if (leave.signal.aborted && !signal.aborted) return '';
      input.close();
      // It was typed as an answer: no other reader may take it for something else.
      await dropTypedAhead(environment.stdin);
      throw cause;
    } finally {
      input.close();
      environment.stdin.pause();
    }
  };
}

/** A terminal keeps lines typed early; raw mode delivers them, and they are discarded. */
async function dropTypedAhead(stdin: InputStream): Promise<void> {
  if (stdin.isTTY !== true || stdin.setRawMode === undefined) return;
  const drop = (): void => {};
  stdin.setRawMode(true);
  stdin.on('data', drop);
  stdin.resume();
  await sleep(DRAIN_MS);
  stdin.off('data', drop);
  stdin.pause();
  stdin.setRawMode(false);
}
