import type { BigIntStats } from 'node:fs';
import { failed } from '@bulkhead/files';
import type { FileChange, ToolPlan } from '@bulkhead/protocol';
import {
  type CallContext,
  success,
  type WorkerContext,
  type WorkerTool,
} from '../definitions/worker-tool.ts';
import { hashFile } from '../files/hash-file.ts';
import type { Location } from '../files/location.ts';
import { openFileForReading } from '../files/open-file.ts';
import { unifiedDiff } from '../unified-diff.ts';
import { contentHash, putContent } from './writable-file.ts';

/** The new content of one file, checked in full and not yet written. */
export interface PreparedChange {
  /** Held open until the change is written or planned. */
  readonly location: Location;
  /** The file's state when it was checked; undefined if no file has the name. */
  readonly stat: BigIntStats | undefined;
  readonly before: Buffer | 'too big' | undefined;
  readonly after: Buffer;
  /** `[create, created]`, for instance. */
  readonly verb: readonly [plan: string, act: string];
  /** The text after the file's name. */
  readonly detail: string;
}

interface ChangeArguments {
  readonly path: string;
}

/**
 * A tool that replaces one file. Plan and act share one preparation, so an act does what its plan
 * says. The act has no `await` between reading the file and replacing it, so two writes to one file
 * can't interleave in one worker.
 *
 * @param prepare reads, checks and computes; changes nothing. The receiver disposes the location.
 */
export function changingTool<Arguments extends ChangeArguments>(
  prepare: (args: Arguments, context: WorkerContext) => PreparedChange,
): WorkerTool<Arguments> {
  return {
    run: async (args, context) => {
      const { shown, change } = commit(args.path, prepare(args, context), context);
      const text = `${change.verb[1]} ${shown}${change.detail}`;
      return success(text, await unifiedDiff(shown, change.before, change.after));
    },
    plan: async (args, context, signal): Promise<ToolPlan> => {
      const change = prepare(args, context);
      using location = change.location;
      const diff = await unifiedDiff(location.shown, change.before, change.after);
      const changes = await fileChanges(args.path, change, signal);
      return { text: `${sentence(change)}\n${diff}`, isError: false, changes };
    },
  };
}

function commit(path: string, change: PreparedChange, context: CallContext) {
  using location = change.location;
  const { shown } = location;
  if (location.missing.length === 0) putContent(location, change.after, change.stat, context);
  else putInNewFolders(path, change, context);
  return { shown, change };
}

function putInNewFolders(path: string, change: PreparedChange, context: CallContext): void {
  using made = context.files.locateAndMakeFolders(path);
  const { shown } = change.location;
  if (made.shown !== shown) throw failed(shown, 'its folder changed while it was being written');
  putContent(made, change.after, change.stat, context);
}

function sentence({ location, stat, after, verb, detail }: PreparedChange): string {
  const { shown, missing } = location;
  const folder = shown.slice(0, Math.max(0, shown.lastIndexOf('/')));
  const folders = missing.length === 0 ? '' : `make the folder ${folder} and `;
  const now = stat === undefined ? '' : `; it has ${stat.size} bytes now and would have ${after.length}`;
  return `would ${folders}${verb[0]} ${shown}${detail}${now}`;
}

/** Empty if the present content is too large to show. */
async function fileChanges(
  path: string,
  change: PreparedChange,
  signal: AbortSignal,
): Promise<readonly FileChange[]> {
  const before = await hashBefore(change, signal);
  return before === undefined ? [] : [{ path, before, after: contentHash(change.after) }];
}

async function hashBefore(
  { location, before }: PreparedChange,
  signal: AbortSignal,
): Promise<string | null | undefined> {
  if (before === undefined) return null;
  if (before !== 'too big') return contentHash(before);
  using file = openFileForReading(location, 'it has no content');
  return await hashFile(file, signal);
}
