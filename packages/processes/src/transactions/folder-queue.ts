import { BulkheadError } from '@bulkhead/protocol';

/** A folder in its present state: its name and its identity. */
export interface FolderPlace {
  /** Absolute, without links in it. */
  readonly path: string;
  /** Device and inode. */
  readonly identity: string;
}

interface Waiting extends FolderPlace {
  begin(): void;
  begun: boolean;
}

/**
 * One transaction per folder at a time; a folder and those in it or around it count as the same.
 * First come, first served, and no transaction waits for an unrelated folder [P9].
 */
export class FolderQueue {
  readonly #line: Waiting[] = [];

  /**
   * Waits for the folder.
   *
   * @returns dispose to release the folder
   * @throws BulkheadError `cancelled` if `signal` aborts first
   */
  async enter(place: FolderPlace, signal: AbortSignal): Promise<Disposable> {
    const { promise, resolve, reject } = Promise.withResolvers<Disposable>();
    const leave = { [Symbol.dispose]: () => this.#leave(waiting) };
    const waiting: Waiting = { ...place, begun: false, begin: () => resolve(leave) };
    const cancel = (): void => {
      if (waiting.begun) return;
      this.#leave(waiting);
      reject(new BulkheadError('cancelled', 'it was cancelled while it waited for the folder'));
    };
    this.#line.push(waiting);
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    this.#advance();
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  /** True if a new caller would have to wait. */
  isTaken(place: FolderPlace): boolean {
    return this.#line.some((other) => areOne(other, place));
  }

  #leave(waiting: Waiting): void {
    const at = this.#line.indexOf(waiting);
    if (at < 0) return;
    this.#line.splice(at, 1);
    this.#advance();
  }

  #advance(): void {
    for (const [at, waiting] of this.#line.entries()) {
      if (waiting.begun || this.#line.slice(0, at).some((other) => areOne(other, waiting))) continue;
      waiting.begun = true;
      waiting.begin();
    }
  }
}

function areOne(a: FolderPlace, b: FolderPlace): boolean {
  return a.identity === b.identity || contains(a.path, b.path) || contains(b.path, a.path);
}

function contains(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}
