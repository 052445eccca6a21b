import type { FolderView } from './folder-view.ts';
import { indexedBlobs } from './git-index.ts';
import { type GitLink, linksOf, treeEntries } from './git-links.ts';
import { GitObjects, type ReadBudget } from './git-objects.ts';
import { gitTips } from './git-tips.ts';

const MAX_INDEX_BYTES = 64 * 1024 ** 2;
/** Commits that are looked at for a file at its own place. */
const MAX_COMMITS = 500;
const MAX_TAGS = 5;

/** A repository in a working folder; paths in it, relative, empty for the outermost. */
export interface Repository {
  /** The folder that its files lie in. */
  readonly files: string;
  /** Its objects and refs. */
  readonly common: string;
  /** `HEAD`, index and reflog: differs from `common` in a linked worktree. */
  readonly own: string;
}

/** A file's content that may be in a repository. */
export interface WantedBlob {
  /** Relative to the repository's files. */
  readonly path: string;
  /** Its name in git, hex. */
  readonly blob: string;
}

/**
 * Contents that a repository holds and git still reaches: from its index, `HEAD`, branches, tags, stashes and
 * reflogs. Nothing of it is run.
 */
export class GitHistory implements Disposable {
  readonly #view: FolderView;
  readonly #repository: Repository;
  readonly #objects: GitObjects;
  readonly #trees = new Map<string, ReadonlyMap<string, GitLink>>();
  #knownTips: ReadonlySet<string> | undefined;

  constructor(view: FolderView, repository: Repository, budget: ReadBudget) {
    this.#view = view;
    this.#repository = repository;
    this.#objects = new GitObjects(view, repository.common, budget);
  }

  /** Of these, the ones that exist, whole and reachable. */
  async heldOf<Item extends WantedBlob>(wanted: readonly Item[]): Promise<ReadonlySet<Item>> {
    const held = new Set<Item>();
    const whole = new Map<string, boolean>();
    const hold = async (item: Item): Promise<void> => {
      const isWhole = whole.get(item.blob) ?? (await this.#objects.read(item.blob))?.type === 'blob';
      whole.set(item.blob, isWhole);
      if (isWhole) held.add(item);
    };
    const left = (): Item[] => wanted.filter((item) => whole.get(item.blob) === undefined);
    const staged = this.#staged();
    for (const item of left()) if (staged.has(item.blob)) await hold(item);
    await this.#atTheirPlaces(left, hold);
    if (left().length > 0) {
      const blobs = await this.#anywhere(new Set(left().map(({ blob }) => blob)));
      for (const item of left()) if (blobs.has(item.blob)) await hold(item);
    }
    return held;
  }

  /** Newest commits first, each file where it lay. */
  async #atTheirPlaces<Item extends WantedBlob>(
    left: () => Item[],
    hold: (item: Item) => Promise<void>,
  ): Promise<void> {
    let open = left();
    for await (const tree of this.#newestTrees()) {
      if (open.length === 0) return;
      for (const item of open) if ((await this.#blobAt(tree, item.path)) === item.blob) await hold(item);
      open = left();
    }
  }

  /** Of commits from the tips on, each tree once. */
  async *#newestTrees(): AsyncGenerator<string> {
    const queue = [...this.#tips()];
    const seen = new Set(queue);
    for (const name of queue) {
      const commit = await this.#commit(name);
      if (commit === undefined) continue;
      const fresh = [commit.tree, ...commit.parents].filter((next) => !seen.has(next));
      for (const next of fresh) seen.add(next);
      queue.push(...fresh.filter((next) => next !== commit.tree));
      if (fresh.includes(commit.tree)) yield commit.tree;
      if (seen.size > MAX_COMMITS * 2) return;
    }
  }

  /** Of these blobs, those in the whole trees of all tips. */
  async #anywhere(wanted: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    const queue: string[] = [];
    for (const tip of this.#tips()) {
      const commit = await this.#commit(tip);
      if (commit !== undefined) queue.push(commit.tree);
    }
    const seen = new Set(queue);
    for (const tree of queue) {
      if (found.size === wanted.size) break;
      for (const [, { type, name }] of await this.#tree(tree)) {
        if (wanted.has(name)) found.add(name);
        if (type !== 'tree' || seen.has(name)) continue;
        seen.add(name);
        queue.push(name);
      }
    }
    return found;
  }

  #tips(): ReadonlySet<string> {
    const { common, own } = this.#repository;
    if (this.#knownTips !== undefined) return this.#knownTips;
    const all = [...new Set([own, common])].map((folder) => gitTips(this.#view, folder));
    this.#knownTips = new Set([...all.flatMap(({ refs }) => refs), ...all.flatMap(({ logs }) => logs)]);
    return this.#knownTips;
  }

  #staged(): ReadonlySet<string> {
    const { own } = this.#repository;
    const bytes = this.#view.read(own === '' ? 'index' : `${own}/index`, MAX_INDEX_BYTES);
    return (bytes === undefined ? undefined : indexedBlobs(bytes)) ?? new Set();
  }

  /** Through tags, too. */
  async #commit(
    start: string,
  ): Promise<{ readonly tree: string; readonly parents: readonly string[] } | undefined> {
    let name = start;
    for (let tags = 0; tags <= MAX_TAGS; tags += 1) {
      const object = await this.#objects.read(name);
      if (object === undefined) return undefined;
      const links = linksOf(object);
      const target = object.type === 'tag' ? links.find(({ type }) => type === 'commit') : undefined;
      if (target === undefined) {
        const tree = links.find(({ type }) => type === 'tree')?.name;
        if (object.type !== 'commit' || tree === undefined) return undefined;
        return {
          tree,
          parents: links.flatMap(({ type, name: parent }) => (type === 'commit' ? [parent] : [])),
        };
      }
      name = target.name;
    }
    return undefined;
  }

  async #blobAt(tree: string, path: string): Promise<string | undefined> {
    let name: string | undefined = tree;
    const parts = path.split('/');
    for (const [at, part] of parts.entries()) {
      const entry: GitLink | undefined = name === undefined ? undefined : (await this.#tree(name)).get(part);
      const isLast = at === parts.length - 1;
      if (entry === undefined || (!isLast && entry.type !== 'tree')) return undefined;
      name = entry.name;
    }
    return name;
  }

  async #tree(name: string): Promise<ReadonlyMap<string, GitLink>> {
    const known = this.#trees.get(name);
    if (known !== undefined) return known;
    const object = await this.#objects.read(name);
    const listed = object?.type === 'tree' ? treeEntries(object.bytes) : [];
    const entries = new Map(listed.map((entry) => [entry.file, entry]));
    this.#trees.set(name, entries);
    return entries;
  }

  [Symbol.dispose](): void {
    this.#objects[Symbol.dispose]();
  }
}
