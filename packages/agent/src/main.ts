/**
 * The agent process: `node agent.js --token T --protocol N`, its connection to the engine inherited as fd 3. It runs where
 * making a socket, reading a file or starting a process ends it, so nothing here or below may try.
 * Exit codes: 0 told to or the engine is gone, 64 usage, 70 anything else, with one line on stderr.
 */
import { Socket } from 'node:net';
import { BulkheadError, describeError } from '@bulkhead/protocol';
import { parseAgentArguments } from './process/agent-arguments.ts';
import { runAgent } from './process/run-agent.ts';

const ENGINE_FD = 3;

try {
  const options = parseAgentArguments(process.argv.slice(2));
  await runAgent(new Socket({ fd: ENGINE_FD }), options, process.pid);
  process.exit(0);
} catch (error) {
  process.stderr.write(`bulkhead agent: ${describeError(error)}\n`);
  process.exit(BulkheadError.is(error) && error.code === 'usage' ? 64 : 70);
}
