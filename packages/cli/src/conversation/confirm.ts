import { BulkheadError } from '@bulkhead/protocol';
import type { Environment } from '../environment.ts';
import { askOnTerminal } from './ask-on-terminal.ts';
import { yesOrNo } from './yes-or-no.ts';

/**
 * Puts a question to the person at the terminal whose safe answer is no.
 *
 * @param question without the keys
 * @returns true for a plain yes and nothing else
 * @throws BulkheadError `cancelled` after Ctrl-C: nobody answered, so nothing is done
 */
export async function confirm(environment: Environment, question: string): Promise<boolean> {
  const interrupted = new AbortController();
  using _interrupts = environment.onInterrupt(() => interrupted.abort());
  try {
    const answer = await askOnTerminal(environment)(`${question} [y/N] `, interrupted.signal);
    return yesOrNo(answer) === true;
  } catch (cause) {
    if (!interrupted.signal.aborted) throw cause;
    throw new BulkheadError('cancelled', 'cancelled: nothing was done', { cause });
  }
}
