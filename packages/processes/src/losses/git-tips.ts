import type { FolderView } from './folder-view.ts';

const NAME = /^[0-9a-f]{40}$/;
const MAX_REF_BYTES = 4_096;
const MAX_LIST_BYTES = 8 * 1024 ** 2;
const MAX_REFS = 5_000;
/** Entries of a reflog, the newest ones. */
const MAX_LOG = 1_000;

/** Where the history of a repository begins. Names of objects, hex. */
export interface GitTips {
  /** Of `HEAD`, branches, tags and stashes, the present ones first. */
  readonly refs: readonly string[];
  /** Of reflogs: still there, and found again by their name. */
  readonly logs: readonly string[];
}

/** Reads `HEAD`, refs (loose and packed) and reflogs of a repository. @param folder in the view */
export function gitTips(view: FolderView, folder: string): GitTips {
  const at = (path: string) => (folder === '' ? path : `${folder}/${path}`);
  const heads = ['HEAD', 'ORIG_HEAD', 'MERGE_HEAD', 'packed-refs'].flatMap((name) =>
    namesInRef(view, at(name)),
  );
  const loose = below(view, at('refs')).flatMap((path) => namesInRef(view, path));
  const logs = below(view, at('logs')).flatMap((path) => namesInLog(view, path));
  return { refs: unique([...heads, ...loose]), logs: unique(logs) };
}

/** Names in a file of one ref, or of many (`packed-refs`). */
export function namesInRef(view: FolderView, path: string): readonly string[] {
  if (!/(?:^|\/)packed-refs$/.test(path)) return nameIn(view, path);
  return unique(linesOf(view, path).flatMap((line) => /^\^?([0-9a-f]{40})(?: |$)/.exec(line)?.[1] ?? []));
}

/** Names in a reflog, the newest first. */
export function namesInLog(view: FolderView, path: string): readonly string[] {
  const lines = linesOf(view, path).slice(-MAX_LOG).reverse();
  return unique(lines.flatMap((line) => [line.slice(41, 81), line.slice(0, 40)]));
}

function nameIn(view: FolderView, path: string): string[] {
  const text = view.read(path, MAX_REF_BYTES)?.toString('latin1').trim() ?? '';
  return NAME.test(text) ? [text] : [];
}

function linesOf(view: FolderView, path: string): string[] {
  return view.read(path, MAX_LIST_BYTES)?.toString('latin1').split('\n') ?? [];
}

/** Everything below a folder that is no folder itself, as far as its names tell. */
function below(view: FolderView, folder: string): string[] {
  const found: string[] = [];
  const queue = [folder];
  for (const path of queue) {
    for (const name of view.names(path)) {
      if (found.length + queue.length > MAX_REFS) return found;
      // A file has no names in it: which it is, shows when it is read.
      queue.push(`${path}/${name}`);
      found.push(`${path}/${name}`);
    }
  }
  return found;
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)].filter((name) => NAME.test(name) && !/^0+$/.test(name));
}
