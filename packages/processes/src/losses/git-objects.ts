import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { inflate, inflateSync } from 'node:zlib';
import type { Descriptor } from '@bulkhead/files';
import { type FolderView, readAt } from './folder-view.ts';
import { applyDelta } from './git-delta.ts';
import { ENTRY_BYTES, type PackEntry, packEntry } from './pack-entry.ts';
import { PackIndex } from './pack-index.ts';

const MAX_OBJECT_BYTES = 32 * 1024 ** 2;
/** Of a tree, commit or tag, and of a delta: these are gone through byte by byte, in one turn. */
const MAX_LIST_BYTES = 2 * 1024 ** 2;
const MAX_DELTA_BYTES = 1024 ** 2;
const MAX_INDEX_BYTES = 64 * 1024 ** 2;
const MAX_INDEXES_BYTES = 256 * 1024 ** 2;
const MAX_PACKS = 200;
const MAX_CHAIN = 100;
/** Bases of deltas that are kept for the next delta. */
const MAX_KEPT_BYTES = 64 * 1024 ** 2;
/** Bytes of work before other work gets its turn, some milliseconds; an entry costs as much as many bytes. */
const TURN_BYTES = 1024 ** 2;
const ENTRY_COST = 16 * 1024;
/** Packed bytes that are unpacked in one turn: they become at most a thousand times as many. */
const SMALL_BYTES = 16 * 1024;
const TYPES: Readonly<Record<number, ObjectType>> = { 1: 'commit', 2: 'tree', 3: 'blob', 4: 'tag' };

const inflateAside = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate);

export type ObjectType = 'commit' | 'tree' | 'blob' | 'tag';

export interface GitObject {
  readonly type: ObjectType;
  readonly bytes: Buffer;
}

/** What may still be read in one judgement; an exhausted budget proves nothing more. */
export interface ReadBudget {
  /** Objects that are asked for. */
  objects: number;
  /** Files and entries of packs that are opened for them, bases of deltas among them. */
  entries: number;
  /** That are unpacked, of whatever comes of it. */
  bytes: number;
}

interface Pack {
  readonly path: string;
  readonly index: PackIndex;
  file?: Descriptor | undefined;
}

/** An entry on the way from a delta to the content that it begins with. */
interface Link {
  readonly offset: number;
  readonly entry: PackEntry;
}

export function isSpent({ objects, entries, bytes }: ReadBudget): boolean {
  return objects <= 0 || entries <= 0 || bytes <= 0;
}

/**
 * Objects of a repository (SHA-1), loose and packed, as gitformat-pack(5) describes them. Each is
 * compared with its name: one that was made up is none. Commands wrote the files: all work on them,
 * whatever comes of it, takes from the budget.
 */
export class GitObjects implements Disposable {
  readonly #view: FolderView;
  readonly #folder: string;
  readonly #budget: ReadBudget;
  readonly #failed = new Set<string>();
  readonly #kept = new Map<string, GitObject>();
  #keptBytes = 0;
  #work = 0;
  #isLimited = false;
  #packs: readonly Pack[] | undefined;

  /** @param folder of the repository, in the view */
  constructor(view: FolderView, folder: string, budget: ReadBudget) {
    this.#view = view;
    this.#folder = folder === '' ? 'objects' : `${folder}/objects`;
    this.#budget = budget;
  }

  /** True once an object was left unread because of a bound: it may exist. */
  get isLimited(): boolean {
    return this.#isLimited;
  }

  /** @param name hex. @returns undefined if it is missing, damaged or beyond what may be read */
  async read(name: string): Promise<GitObject | undefined> {
    if (isSpent(this.#budget)) return this.#limit();
    this.#budget.objects -= 1;
    if (this.#failed.has(name)) return undefined;
    const object = await this.#find(name);
    if (object === undefined) this.#failed.add(name);
    return object;
  }

  async #find(name: string): Promise<GitObject | undefined> {
    try {
      const object = (await this.#loose(name)) ?? (await this.#packed(name));
      if (object === undefined || !(await this.#takes(object.bytes.length))) return undefined;
      if (object.type !== 'blob' && object.bytes.length > MAX_LIST_BYTES) return this.#limit();
      return (await nameOf(object)) === name ? object : undefined;
    } catch {
      return undefined;
    }
  }

  async #loose(name: string): Promise<GitObject | undefined> {
    const path = `${this.#folder}/${name.slice(0, 2)}/${name.slice(2)}`;
    if (!(await this.#opens())) return undefined;
    const packed = this.#view.read(path, MAX_OBJECT_BYTES);
    if (packed === undefined) return undefined;
    const bytes = await this.#unpacked(packed, MAX_OBJECT_BYTES);
    const end = bytes.indexOf(0);
    const type = /^(commit|tree|blob|tag) \d+$/.exec(bytes.toString('latin1', 0, Math.max(end, 0)))?.[1];
    return isType(type) ? { type, bytes: bytes.subarray(end + 1) } : undefined;
  }

  async #packed(name: string): Promise<GitObject | undefined> {
    this.#packs ??= await this.#findPacks();
    for (const pack of this.#packs) {
      const offset = pack.index.offsetOf(name);
      const object = offset === undefined ? undefined : await this.#inPack(pack, offset);
      if (object !== undefined) return object;
    }
    return undefined;
  }

  async #inPack(pack: Pack, start: number): Promise<GitObject | undefined> {
    pack.file ??= this.#view.open(pack.path);
    const { file } = pack;
    if (file === undefined) return undefined;
    const deltas: Link[] = [];
    let object = await this.#baseOf(pack, file, start, deltas);
    for (const delta of deltas.reverse()) {
      if (object === undefined) return undefined;
      object = await this.#applied(pack, file, object, delta);
    }
    return object;
  }

  /** All bases of a delta lie in its own pack. @param deltas get those on the way, the last one first */
  async #baseOf(pack: Pack, file: Descriptor, start: number, deltas: Link[]): Promise<GitObject | undefined> {
    let offset: number | undefined = start;
    while (offset !== undefined && offset >= 0) {
      const kept = this.#kept.get(keptKey(pack, offset));
      if (kept !== undefined) return kept;
      if (!(await this.#opens())) return undefined;
      const entry = packEntry(readAt(file, offset, ENTRY_BYTES));
      const { base } = entry;
      if (base === undefined) return await this.#whole(pack, file, { offset, entry });
      if (deltas.length === MAX_CHAIN) return this.#limit();
      deltas.push({ offset, entry });
      offset = base.type === 'before' ? offset - base.distance : pack.index.offsetOf(base.name);
    }
    return undefined;
  }

  async #whole(pack: Pack, file: Descriptor, { offset, entry }: Link): Promise<GitObject | undefined> {
    const type = TYPES[entry.kind];
    if (type === undefined) return undefined;
    if (entry.size > MAX_OBJECT_BYTES) return this.#limit();
    const bytes = await this.#entryBytes(file, { offset, entry });
    return bytes === undefined ? undefined : this.#keep(pack, offset, { type, bytes });
  }

  async #applied(pack: Pack, file: Descriptor, base: GitObject, link: Link): Promise<GitObject | undefined> {
    if (link.entry.size > MAX_DELTA_BYTES) return this.#limit();
    const delta = await this.#entryBytes(file, link);
    if (delta === undefined) return undefined;
    let made = MAX_OBJECT_BYTES;
    try {
      const bytes = applyDelta(base.bytes, delta, MAX_OBJECT_BYTES);
      made = bytes.length;
      return this.#keep(pack, link.offset, { type: base.type, bytes });
    } finally {
      await this.#takes(made);
    }
  }

  async #entryBytes(file: Descriptor, { offset, entry: { at, size } }: Link): Promise<Buffer | undefined> {
    const packed = readAt(file, offset + at, size + (size >> 3) + ENTRY_BYTES);
    const bytes = await this.#unpacked(packed, Math.max(size, 1));
    if (bytes.length === size) return bytes;
    await this.#takes(size);
    return undefined;
  }

  /** Takes from the budget what comes out, and all that may come out if it fails. */
  async #unpacked(packed: Buffer, most: number): Promise<Buffer> {
    if (!(await this.#takes(0))) throw new RangeError('nothing more may be read');
    let made = most;
    try {
      const options = { maxOutputLength: most };
      const isSmall = packed.length <= SMALL_BYTES;
      const bytes = isSmall ? inflateSync(packed, options) : await inflateAside(packed, options);
      made = bytes.length;
      return bytes;
    } finally {
      await this.#takes(Math.max(made, packed.length));
    }
  }

  #keep(pack: Pack, offset: number, object: GitObject): GitObject {
    this.#kept.set(keptKey(pack, offset), object);
    this.#keptBytes += object.bytes.length;
    for (const [key, { bytes }] of this.#kept) {
      if (this.#keptBytes <= MAX_KEPT_BYTES) break;
      this.#kept.delete(key);
      this.#keptBytes -= bytes.length;
    }
    return object;
  }

  #opens(): Promise<boolean> {
    this.#budget.entries -= 1;
    return this.#takes(0, ENTRY_COST);
  }

  /** @returns false if nothing more may be read */
  async #takes(bytes: number, work = bytes): Promise<boolean> {
    this.#budget.bytes -= bytes;
    this.#work += work;
    if (this.#work >= TURN_BYTES) {
      this.#work = 0;
      await setImmediate();
    }
    if (this.#budget.entries >= 0 && this.#budget.bytes >= 0) return true;
    this.#isLimited = true;
    return false;
  }

  #limit(): undefined {
    this.#isLimited = true;
  }

  async #findPacks(): Promise<readonly Pack[]> {
    const folder = `${this.#folder}/pack`;
    const names = this.#view.names(folder).filter((name) => /^pack-[0-9a-f]{40}\.idx$/.test(name));
    const packs: Pack[] = [];
    if (names.length > MAX_PACKS) this.#limit();
    let left = MAX_INDEXES_BYTES;
    for (const name of names.slice(0, MAX_PACKS)) {
      await setImmediate();
      const bytes = this.#view.read(`${folder}/${name}`, Math.min(left, MAX_INDEX_BYTES));
      if (bytes === undefined) this.#limit();
      left -= bytes?.length ?? 0;
      const index = bytes === undefined ? undefined : PackIndex.read(bytes);
      if (index !== undefined) packs.push({ path: `${folder}/${name.slice(0, -3)}pack`, index });
    }
    return packs;
  }

  [Symbol.dispose](): void {
    for (const { file } of this.#packs ?? []) file?.[Symbol.dispose]();
  }
}

function keptKey({ path }: Pack, offset: number): string {
  return `${offset} ${path}`;
}

/** The name that git gives a content, hex. */
async function nameOf({ type, bytes }: GitObject): Promise<string> {
  const hash = createHash('sha1').update(`${type} ${bytes.length}\0`);
  for (let at = 0; at < bytes.length; at += 4 * TURN_BYTES) {
    if (at > 0) await setImmediate();
    hash.update(bytes.subarray(at, at + 4 * TURN_BYTES));
  }
  return hash.digest('hex');
}

function isType(text: string | undefined): text is ObjectType {
  return text === 'commit' || text === 'tree' || text === 'blob' || text === 'tag';
}
