import type { InspectFiles } from '@bulkhead/protocol/worker';
import type { WorkerContext } from '../definitions/worker-tool.ts';
import { inspectFile } from '../files/inspect-file.ts';
import { removeTemporary } from '../files/temporary-name.ts';
import { MAX_INSPECTED_PATHS } from '../worker-wire.ts';
import type { WorkerEventInit } from './send-event.ts';

/**
 * Says what lies at each path, after what the call left half written beside it was removed. Never rejects: what can't be told,
 * or was cancelled before, is unknown.
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
