import type { ProfileFile, ProfileFiles } from '@bulkhead/memory';
import type { IndexedSession, IndexedText, MemoryIndex } from './memory-index.ts';

interface ViewParts {
  readonly files: ProfileFiles;
  /** Past sessions; none if they are not to be found. */
  sessions(): readonly IndexedSession[];
  /** Called once, when there is something to index. @throws BulkheadError if it can't be opened */
  open(): Promise<MemoryIndex>;
  /** Hears each problem once. */
  tell(problem: string): void;
}

/**
 * Keeps the index one with the files: looked at before each use by size and time, which costs one `stat` a file. Nothing is
 * opened as long as there is nothing to find.
 */
export class MemoryView implements AsyncDisposable {
  readonly #parts: ViewParts;
  readonly #stop = new AbortController();
  readonly #told = new Set<string>();
  #index: Promise<MemoryIndex> | undefined;
  #inStepWith = '';
  #syncing: Promise<unknown> = Promise.resolve();

  constructor(parts: ViewParts) {
    this.#parts = parts;
  }

  /** The files of memory as they are; tells what is wrong with them, each once. */
  files(): readonly ProfileFile[] {
    const { files, problems } = this.#parts.files.list();
    for (const problem of problems) this.#tell(problem);
    for (const { path, isConflict } of files) {
      if (isConflict)
        this.#tell(
          `${path} is a copy that a sync tool kept of two changes: it is searched as it is, and never written to; merge it by hand`,
        );
    }
    return files;
  }

  /**
   * The index, one with the files as they are now; undefined if there is nothing to find.
   * @throws BulkheadError if it can't be opened or brought into step
   */
  async current(): Promise<MemoryIndex | undefined> {
    const { texts, state } = this.#texts();
    if (texts.length === 0 && this.#index === undefined) return undefined;
    const index = await this.#open();
    const turn = this.#syncing.then(() => this.#sync(index, texts, state));
    this.#syncing = turn.catch(() => {});
    await turn;
    return index;
  }

  /** The index as it stands, without a look at the files; undefined if it isn't open. */
  get standing(): Promise<MemoryIndex> | undefined {
    return this.#index;
  }

  /** Makes the index anew from the files. @returns how many texts are in it */
  async rebuild(): Promise<number> {
    const index = await this.#open();
    this.#inStepWith = '';
    await index.clear();
    await this.current();
    return this.#texts().texts.length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#syncing;
    await (await this.#index?.catch(() => undefined))?.[Symbol.asyncDispose]();
  }

  /** All there is to find, and the state it is in. */
  #texts(): { readonly texts: readonly IndexedText[]; readonly state: string } {
    const folder = this.#parts.files.root;
    const sessions = this.#parts.sessions();
    const texts: IndexedText[] = [...sessions];
    const states = sessions.map(({ path, version }) => `${path}\t${version}`);
    for (const { source, path, version } of this.files()) {
      // It is in every prompt already.
      if (source === 'user') continue;
      texts.push({ source, path, folder });
      states.push(`${path}\t${version}`);
    }
    return { texts, state: states.join('\n') };
  }

  async #sync(index: MemoryIndex, texts: readonly IndexedText[], state: string): Promise<void> {
    if (state === this.#inStepWith || this.#stop.signal.aborted) return;
    await index.sync(texts, { signal: this.#stop.signal });
    this.#inStepWith = state;
  }

  #open(): Promise<MemoryIndex> {
    this.#index ??= this.#parts.open().catch((error: unknown) => {
      // The next use tries again.
      this.#index = undefined;
      throw error;
    });
    return this.#index;
  }

  #tell(problem: string): void {
    if (this.#told.has(problem)) return;
    this.#told.add(problem);
    this.#parts.tell(problem);
  }
}
