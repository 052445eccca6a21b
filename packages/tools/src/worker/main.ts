import { randomBytes } from 'node:crypto';
import { Socket } from 'node:net';
import { BulkheadError, describeError, PROTOCOL_VERSION } from '@bulkhead/protocol';
import { refuseOtherVersion } from '@bulkhead/wire';
import { workerTools } from '../executors/worker-tools.ts';
import { FileVersions } from '../files/file-versions.ts';
import { GrantedFiles } from '../files/granted-files.ts';
import { workerWire } from '../worker-wire.ts';
import { attach } from './attach.ts';
import { parseWorkerOptions } from './worker-options.ts';

/** The connection to the engine: given at birth, the only one there is. */
const ENGINE_DESCRIPTOR = 3;

async function main(): Promise<number> {
  const options = parseWorkerOptions(process.argv.slice(2));
  refuseOtherVersion(workerWire.name, { process: PROTOCOL_VERSION, engine: options.protocolVersion });
  using files = GrantedFiles.open(options.grant);
  const context = {
    files,
    versions: new FileVersions(),
    ripgrep: options.ripgrep,
    nonce: () => randomBytes(16).toString('hex'),
  };
  await attach(new Socket({ fd: ENGINE_DESCRIPTOR }), options.token, process.pid, workerTools, context);
  return 0;
}

try {
  process.exit(await main());
} catch (error) {
  process.stderr.write(`bulkhead worker: ${describeError(error)}\n`);
  process.exit(BulkheadError.is(error) && error.code === 'usage' ? 2 : 1);
}
