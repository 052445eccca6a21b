import type { ChangedText, CommandEffects, ObservedChange } from '@bulkhead/protocol';
import { FolderObject } from './folder-object.ts';

/** Files whose names alone would discard all changes, though their content may be harmless. */
const CANDIDATE = /(?:^|\/)\.git\/config$|\.pem$/i;
const MAX_FILES = 64;
const MAX_BYTES = 512 * 1024;

/**
 * Reads the evidence for a decision besides names: the text of a few small files before and after,
 * by descriptor. The command has ended completely, so the text is exactly the one to be kept.
 *
 * @param upper absolute folder with all that the command wrote
 */
export async function withTexts(
  effects: CommandEffects,
  folders: { readonly work: string; readonly upper: string },
): Promise<CommandEffects> {
  const texts = new Map<string, ChangedText>();
  for (const change of effects.changes.filter(isCandidate).slice(0, MAX_FILES)) {
    const path = Buffer.from(change.path).toString('utf8');
    const before = change.was === 'file' ? await textOf(folders.work, path) : undefined;
    const after = change.kind === 'file' ? await textOf(folders.upper, path) : undefined;
    texts.set(Buffer.from(change.path).toString('latin1'), { before, after });
  }
  return texts.size === 0 ? effects : { ...effects, texts };
}

function isCandidate({ path, size, wasSize }: ObservedChange): boolean {
  const text = Buffer.from(path).toString('utf8');
  return CANDIDATE.test(text) && Buffer.from(text).equals(path) && Math.max(size, wasSize) <= MAX_BYTES;
}

/**
 * The text of one file below a folder, reached without following links.
 *
 * @returns undefined if it is missing, no plain file, too large or no UTF-8
 */
export async function textOf(folder: string, path: string): Promise<string | undefined> {
  const names = path.split('/');
  const name = names.pop() ?? '';
  try {
    await using parent = await FolderObject.walk([folder, ...names].join('/'));
    await using file = await parent?.child(name);
    const bytes = await file?.read(MAX_BYTES);
    return bytes === undefined ? undefined : new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
