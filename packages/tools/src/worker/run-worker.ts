import { Socket } from 'node:net';
import type { LinkedObject } from '@bulkhead/files';
import { PROTOCOL_VERSION } from '@bulkhead/protocol';
import { refuseOtherVersion } from '@bulkhead/wire';
import { attackOwnBox } from '@bulkhead/wire/self-probe';
import { FileVersions } from '../files/file-versions.ts';
import { GrantedFiles } from '../files/granted-files.ts';
import { everyTool } from '../tools/every-tool.ts';
import { workerWire } from '../worker-wire.ts';
import { attach } from './attach.ts';
import { Questions } from './questions.ts';
import { parseWorkerOptions } from './worker-options.ts';

/** The connection to the engine: inherited at start, the only one of this process. */
const ENGINE_DESCRIPTOR = 3;

/**
 * Serves the engine until it is gone.
 *
 * @param args the arguments after the program's name
 * @returns the exit status
 * @throws BulkheadError `usage`; `protocol_violation` if the engine is of another version [FT100]
 */
export async function runWorker(args: readonly string[]): Promise<number> {
  const options = parseWorkerOptions(args);
  refuseOtherVersion(workerWire.name, { process: PROTOCOL_VERSION, engine: options.protocolVersion });
  // Runs before any data of the engine or the user is read, so no one else can influence the
  // findings.
  const probes = options.probe === undefined ? {} : await attackOwnBox(options.probe);
  const questions = new Questions();
  const askProtected = (objects: readonly LinkedObject[]) => questions.askProtected(objects);
  using files = GrantedFiles.open(options.grant, { askProtected });
  const context = {
    files,
    versions: new FileVersions(),
    ripgrep: options.ripgrep,
  };
  const tools = await Promise.all(
    everyTool.flatMap(({ worker }) => (worker === undefined ? [] : [worker()])),
  );
  const ready = { token: options.token, pid: process.pid, probes };
  await attach(new Socket({ fd: ENGINE_DESCRIPTOR }), ready, tools, context, questions);
  return 0;
}
