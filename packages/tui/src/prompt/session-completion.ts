import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@bulkhead/protocol';
import type { AutocompleteProvider } from '@earendil-works/pi-tui';
import { type CommandName, createCompletion } from './completion.ts';

interface SessionSources {
  readonly clock: Clock;
  readonly commands: () => readonly CommandName[];
  readonly templates: (folder: string, signal: AbortSignal) => Promise<readonly string[]>;
  /** Folder of the current session, absolute; empty for none. */
  readonly folder: () => string;
}

/**
 * Completions for Tab, `/` and `@` in the current session. @param left fires when the person leaves
 */
export function sessionCompletion(sources: SessionSources, left: AbortSignal): AutocompleteProvider {
  const { clock, commands, templates, folder } = sources;
  const files = new FileNames(clock, left);
  return createCompletion({
    commands,
    templates: (signal) => templates(folder(), signal),
    files: () => files.below(folder()),
  });
}

/** A folder is read again after this, milliseconds. */
const FRESH_MS = 5_000;

/** Names of the files of a folder, read on demand and cached briefly: each key asks again. */
class FileNames {
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  #read:
    | { readonly folder: string; readonly at: number; readonly names: Promise<readonly string[]> }
    | undefined;

  constructor(clock: Clock, signal: AbortSignal) {
    this.#clock = clock;
    this.#signal = signal;
  }

  /** @param folder absolute; empty for none */
  below(folder: string): Promise<readonly string[]> {
    if (folder === '') return Promise.resolve([]);
    const now = this.#clock.monotonic();
    const known = this.#read;
    if (known?.folder === folder && now - known.at < FRESH_MS) return known.names;
    const names = filesBelow(folder, this.#signal);
    this.#read = { folder, at: now, names };
    return names;
  }
}

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
async function filesBelow(folder: string, signal: AbortSignal): Promise<readonly string[]> {
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
