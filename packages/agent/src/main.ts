/**
 * The agent process: `node agent.js --token T --protocol N`, its connection to the engine inherited
 * as fd 3. Its box refuses sockets, files and processes, so no code here tries them, except the
 * attack on its own box. Exit codes: 0 shutdown or the engine is gone, 64 usage, 70 anything else,
 * with one line on stderr.
 */
import { Socket } from 'node:net';
import { BulkheadError, describeError } from '@bulkhead/protocol';
import { answerControl } from '@bulkhead/wire/self-probe';

const ENGINE_FD = 3;

try {
  const args = process.argv.slice(2);
  const control = await answerControl(args);
  if (control === undefined) {
    // A control needs none of this.
    const { parseAgentArguments, runAgent } = await import('./process/index.ts');
    await runAgent(new Socket({ fd: ENGINE_FD }), parseAgentArguments(args), process.pid);
    process.exit(0);
  }
  process.stdout.write(control);
} catch (error) {
  process.stderr.write(`bulkhead agent: ${describeError(error)}\n`);
  process.exit(BulkheadError.is(error) && error.code === 'usage' ? 64 : 70);
}
