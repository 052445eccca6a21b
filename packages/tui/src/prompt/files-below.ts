import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Limits of one folder scan, because a person waits for it. */
const MOST_FILES = 5_000;
const MOST_FOLDERS = 1_500;
const DEEPEST = 12;

/** Folders whose files a person would not name. */
const PASSED_OVER: ReadonlySet<string> = new Set(['.git', 'node_modules', '.venv', '__pycache__', '.cache']);

/**
 * Names of the files below a folder, relative, folders near the top first. Follows no link; leaves
 * out unreadable folders and names that can't be shown unchanged.
 */
export async function filesBelow(folder: string, signal: AbortSignal): Promise<readonly string[]> {
  const files: string[] = [];
  const waiting = [''];
  for (const path of waiting) {
    signal.throwIfAborted();
    if (files.length >= MOST_FILES) break;
    for (const entry of await entriesOf(join(folder, path))) {
      const below = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.isFile()) files.push(below);
      if (isOpen(entry, path) && waiting.length < MOST_FOLDERS) waiting.push(below);
    }
  }
  return files;
}

function isOpen(entry: Dirent, path: string): boolean {
  return entry.isDirectory() && !PASSED_OVER.has(entry.name) && path.split('/').length < DEEPEST;
}

/**
 * No control characters, nothing that turns the reading direction, no spaces, which would end the
 * name in a message.
 */
const PLAIN = /^[\p{L}\p{N}\p{P}\p{S}]+$/u;

async function entriesOf(path: string): Promise<Dirent[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    return entries.filter(({ name }) => PLAIN.test(name)).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}
