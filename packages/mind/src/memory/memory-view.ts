import type { MemorySource, ProfileFile, ProfileFiles } from '@bulkhead/memory';
import type { IndexedSession, IndexedText, MemoryIndex } from './memory-index.ts';

/**
 * The scope of an index update: `files` covers all that turns are shown, and keeps past sessions
 * unchanged.
 */
export type ViewOf = 'files' | 'all';

/** Sources of files, all but `session`. */
const FILES: readonly MemorySource[] = ['memory', 'daily', 'heartbeat', 'agents', 'knowledge'];

interface ViewParts {
  readonly files: ProfileFiles;
  /** Past sessions; none if they are not to be found. */
  sessions(): readonly IndexedSession[];
  /** Called once, when there is something to index. @throws BulkheadError if it can't be opened */
  open(): Promise<MemoryIndex>;
  /** Hears each problem once. */
  tell(problem: string): void;
}

/** All texts that can be found, and the fingerprint of their state. */
interface State {
  readonly texts: readonly IndexedText[];
  readonly files: string;
  /** Of files and sessions; empty if sessions were not asked for. */
  readonly all: string;
}

const NOT_KNOWN = { files: undefined, all: undefined } as const;

/**
 * Keeps the index one with the files: looked at before each use by size and time, which costs one `stat` a file. Nothing is
 * opened as long as there is nothing to find.
 */
export class MemoryView implements AsyncDisposable {
  readonly #parts: ViewParts;
  readonly #stop = new AbortController();
  readonly #told = new Set<string>();
  #index: Promise<MemoryIndex> | undefined;
  /** The indexed state; undefined if it is unknown. A state without files is a state too. */
  #inStepWith: { readonly files: string | undefined; readonly all: string | undefined } = NOT_KNOWN;
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
  async current(of: ViewOf = 'all'): Promise<MemoryIndex | undefined> {
    const state = this.#state(of);
    if (state.texts.length === 0 && this.#index === undefined) return undefined;
    const index = await this.#open();
    // Then nothing that is under way is waited for, such as sessions that are read.
    if (of === 'files' && state.files === this.#inStepWith.files) return index;
    const turn = this.#syncing.then(() => this.#sync(index, of, state));
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
    this.#inStepWith = NOT_KNOWN;
    await index.clear();
    await this.current();
    return this.#state('all').texts.length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#syncing;
    await (await this.#index?.catch(() => undefined))?.[Symbol.asyncDispose]();
  }

  /** All texts that can be found, and their state. */
  #state(of: ViewOf): State {
    const folder = this.#parts.files.root;
    const texts: IndexedText[] = [];
    const states: string[] = [];
    for (const { source, path, version } of this.files()) {
      // It is in every prompt already.
      if (source === 'user') continue;
      texts.push({ source, path, folder });
      states.push(`${path}\t${version}`);
    }
    const files = states.join('\n');
    if (of === 'files') return { texts, files, all: '' };
    const sessions = this.#parts.sessions();
    const all = [files, ...sessions.map(({ path, version }) => `${path}\t${version}`)].join('\n');
    return { texts: [...sessions, ...texts], files, all };
  }

  async #sync(index: MemoryIndex, of: ViewOf, { texts, files, all }: State): Promise<void> {
    const { signal } = this.#stop;
    const isInStep = of === 'all' ? all === this.#inStepWith.all : files === this.#inStepWith.files;
    if (isInStep || signal.aborted) return;
    await index.sync(texts, of === 'all' ? { signal } : { sources: FILES, signal });
    // Of the files alone, the whole is in step with nothing known; and sessions are looked at when somebody asks for them.
    this.#inStepWith = { files, all: of === 'all' ? all : undefined };
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
