import type { Clock } from '@bulkhead/protocol';
import { filesBelow } from './files-below.ts';

/** A folder is read again after this, milliseconds. */
const FRESH_MS = 5_000;

/** Names of the files of a folder, read on demand and cached briefly: each key asks again. */
export class FileNames {
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
