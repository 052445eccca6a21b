import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { create, toBinary } from '@bufbuild/protobuf';
import type { LinkedObject } from '@bulkhead/files';
import { PROTOCOL_VERSION } from '@bulkhead/protocol';
import { AttachRequestSchema } from '@bulkhead/protocol/worker';
import { attachToEngine, type Ready, refuseOtherVersion } from '@bulkhead/wire';
import { attackOwnBox } from '@bulkhead/wire/self-probe';
import type { BoundTool, WorkerContext } from '../definitions/worker-tool.ts';
import { FileVersions } from '../files/file-versions.ts';
import { GrantedFiles } from '../files/granted-files.ts';
import { everyTool } from '../tools/every-tool.ts';
import { workerWire } from '../worker-wire.ts';
import { Questions } from './questions.ts';
import { runDirectives } from './run-directives.ts';
import type { SendEvent } from './send-event.ts';
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

/**
 * Serves one engine over one stream, until it sends a shutdown or is gone. Makes no other
 * connection.
 *
 * @param ready the message to show first; its pid is for the engine's log
 * @throws BulkheadError `protocol_violation` for an unreadable message of the engine
 */
async function attach(
  stream: Duplex,
  ready: Omit<Ready, 'protocolVersion'>,
  tools: readonly BoundTool[],
  context: WorkerContext,
  questions: Questions,
): Promise<void> {
  const { directives, outbox } = attachToEngine(stream, workerWire);
  const send: SendEvent = (event) =>
    outbox.push(toBinary(AttachRequestSchema, create(AttachRequestSchema, { event })));
  send({ case: 'ready', value: { ...ready, protocolVersion: PROTOCOL_VERSION } });
  questions.connect(send);
  await runDirectives(directives, tools, context, send, questions);
}
