import type { WorkerContext } from '../definitions/worker-tool.ts';
import { changingTool, type PreparedChange } from './changing-tool.ts';
import { contentHash, MAX_EDITED_BYTES, readWhole, refuseUnwritable } from './writable-file.ts';

interface WriteArguments {
  readonly path: string;
  readonly content: string;
}

export const runWrite = changingTool<WriteArguments>((args, context) => {
  using guard = new DisposableStack();
  const location = guard.use(context.files.locateNewFile(args.path));
  const after = Buffer.from(args.content);
  const old = presentContent(location, context);
  guard.move();
  return {
    location,
    ...old,
    after,
    verb: old.stat === undefined ? ['create', 'created'] : ['replace', 'replaced'],
    detail: ` (${after.length} bytes)`,
  };
});

function presentContent(
  location: PreparedChange['location'],
  { versions }: WorkerContext,
): Pick<PreparedChange, 'stat' | 'before'> {
  refuseUnwritable(location);
  const { key, stat, shown } = location;
  if (stat === undefined) return { stat, before: undefined };
  if (stat.size > MAX_EDITED_BYTES) {
    versions.refuseStale(key, stat, () => 'not read', shown);
    return { stat, before: 'too big' };
  }
  const old = readWhole(location);
  versions.refuseStale(key, old.stat, () => contentHash(old.content), shown);
  return { stat: old.stat, before: old.content };
}
