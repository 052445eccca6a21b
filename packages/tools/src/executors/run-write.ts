import { unifiedDiff } from './unified-diff.ts';
import { success, type WorkerContext, type WorkerTool } from './worker-tool.ts';
import { contentHash, MAX_EDITED_BYTES, putContent, readWhole, refuseUnwritable } from './writable-file.ts';

interface WriteArguments {
  readonly path: string;
  readonly content: string;
}

export const runWrite: WorkerTool<WriteArguments> = async (args, context) => {
  const after = Buffer.from(args.content);
  const { shown, before } = writeFile(args.path, after, context);
  const verb = before === undefined ? 'created' : 'replaced';
  return success(`${verb} ${shown} (${after.length} bytes)`, await unifiedDiff(shown, before, after));
};

function writeFile(path: string, content: Buffer, context: WorkerContext) {
  using location = context.files.locateAndMakeFolders(path);
  const { key, shown, stat } = location;
  const name = refuseUnwritable(location);
  if (stat === undefined) {
    putContent(location, name, content, undefined, context);
    return { shown, before: undefined };
  }
  if (stat.size > MAX_EDITED_BYTES) {
    context.versions.refuseStale(key, stat, () => 'not read', shown);
    putContent(location, name, content, stat, context);
    return { shown, before: 'too big' as const };
  }
  const old = readWhole(location);
  context.versions.refuseStale(key, old.stat, () => contentHash(old.content), shown);
  putContent(location, name, content, old.stat, context);
  return { shown, before: old.content };
}
