import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { BulkheadError } from '@bulkhead/protocol';
import type { Environment } from '../environment.ts';

/**
 * Asks on the terminal for one line that is not shown. Only the question is written; typed text is
 * not echoed.
 *
 * @throws BulkheadError `cancelled` at Ctrl-C or Ctrl-D
 */
export async function askHidden(question: string, environment: Environment): Promise<string> {
  const { stdin, stderr } = environment;
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  // Before the question: from now on the terminal shows no typed text.
  const readline = createInterface({ input: stdin, output: nowhere, terminal: true, historySize: 0 });
  try {
    stderr.write(question);
    return await new Promise<string>((resolve, reject) => {
      const cancelled = (): void => reject(new BulkheadError('cancelled', 'cancelled: no secret is stored'));
      readline.once('line', resolve);
      readline.once('SIGINT', cancelled);
      readline.once('close', cancelled);
    });
  } finally {
    readline.close();
    stderr.write('\n');
  }
}
