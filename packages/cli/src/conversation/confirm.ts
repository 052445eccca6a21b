import { BulkheadError } from '@bulkhead/protocol';
import type { Environment } from '../environment.ts';
import { askOnTerminal } from './ask-on-terminal.ts';
import { yesOrNo } from './yes-or-no.ts';

/**
 * Asks the person at the terminal a question whose safe answer is no.
 *
 * @param question without the keys
 * @returns true only for a plain "yes"
 * @throws BulkheadError `cancelled` after Ctrl-C: without an answer nothing is done
 */
export async function confirm(environment: Environment, question: string): Promise<boolean> {
  const interrupted = new AbortController();
  using _interrupts = environment.onInterrupt(() => interrupted.abort());
  try {
    const answer = await askOnTerminal(environment)(`${question} [y/N] `, interrupted.signal);
    return yesOrNo(answer) === true;
  } catch (cause) {
    if (!interrupted.signal.aborted) throw cause;
    throw new BulkheadError('cancelled', 'cancelled: nothing was changed', { cause });
  }
}
