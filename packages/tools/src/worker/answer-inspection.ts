import type { InspectFiles } from '@bulkhead/protocol/worker';
import type { WorkerContext } from '../definitions/worker-tool.ts';
import { inspectFile } from '../files/inspect-file.ts';
import { removeTemporary } from '../files/temporary-name.ts';
import { MAX_INSPECTED_PATHS } from '../worker-wire.ts';
import type { WorkerEventInit } from './send-event.ts';

/**
 * Returns the state of each path, after removing the call's incomplete writes beside it. Never
 * rejects: a failure or an earlier cancellation gives the state unknown.
 */
export async function answerInspection(
  { requestId, paths, actionId }: Pick<InspectFiles, 'requestId' | 'paths' | 'actionId'>,
  { files }: Pick<WorkerContext, 'files'>,
  signal: AbortSignal,
): Promise<readonly WorkerEventInit[]> {
  const states: { path: string; hash: string; unknown: boolean }[] = [];
  for (const path of paths) {
    const told = !signal.aborted && paths.length <= MAX_INSPECTED_PATHS;
    if (told && actionId !== '') removeTemporary(files, path, actionId);
    const hash = told ? await inspectFile(files, path, signal) : undefined;
    states.push({ path, hash: hash ?? '', unknown: hash === undefined });
  }
  return [{ case: 'inspected', value: { requestId, states } }];
}
