import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import type { Descriptor } from '@bulkhead/files';
import { type FolderView, readAt } from './folder-view.ts';
import { applyDelta } from './git-delta.ts';
import { ENTRY_BYTES, type PackBase, packEntry } from './pack-entry.ts';
import { PackIndex } from './pack-index.ts';

const MAX_OBJECT_BYTES = 32 * 1024 ** 2;
const MAX_INDEX_BYTES = 64 * 1024 ** 2;
const MAX_PACKS = 200;
const MAX_CHAIN = 100;
const TYPES: Readonly<Record<number, ObjectType>> = { 1: 'commit', 2: 'tree', 3: 'blob', 4: 'tag' };

export type ObjectType = 'commit' | 'tree' | 'blob' | 'tag';

export interface GitObject {
  readonly type: ObjectType;
  readonly bytes: Buffer;
}

/** The objects that may still be read in one judgement; an exhausted budget proves nothing more. */
export interface ReadBudget {
  objects: number;
  bytes: number;
}

interface Pack {
  readonly path: string;
  readonly index: PackIndex;
  file?: Descriptor | undefined;
}

/**
 * Objects of a repository (SHA-1), loose and packed, as gitformat-pack(5) describes them. Each is
 * compared with its name: one that was made up is none.
 */
export class GitObjects implements Disposable {
  readonly #view: FolderView;
  readonly #folder: string;
  readonly #budget: ReadBudget;
  #packs: readonly Pack[] | undefined;

  /** @param folder of the repository, in the view */
  constructor(view: FolderView, folder: string, budget: ReadBudget) {
    this.#view = view;
    this.#folder = folder === '' ? 'objects' : `${folder}/objects`;
    this.#budget = budget;
  }

  /** @param name hex. @returns undefined if it is missing, damaged or beyond what may be read */
  read(name: string): GitObject | undefined {
    if (this.#budget.objects <= 0 || this.#budget.bytes <= 0) return undefined;
    this.#budget.objects -= 1;
    try {
      const object = this.#loose(name) ?? this.#packed(name, MAX_CHAIN);
      if (object === undefined) return undefined;
      this.#budget.bytes -= object.bytes.length;
      return nameOf(object) === name ? object : undefined;
    } catch {
      return undefined;
    }
  }

  #loose(name: string): GitObject | undefined {
    const path = `${this.#folder}/${name.slice(0, 2)}/${name.slice(2)}`;
    const packed = this.#view.read(path, MAX_OBJECT_BYTES);
    if (packed === undefined) return undefined;
    const bytes = inflateSync(packed, { maxOutputLength: MAX_OBJECT_BYTES });
    const end = bytes.indexOf(0);
    const type = /^(commit|tree|blob|tag) \d+$/.exec(bytes.toString('latin1', 0, end))?.[1];
    return isType(type) ? { type, bytes: bytes.subarray(end + 1) } : undefined;
  }

  #packed(name: string, chain: number): GitObject | undefined {
    this.#packs ??= this.#findPacks();
    for (const pack of this.#packs) {
      const offset = pack.index.offsetOf(name);
      const object = offset === undefined ? undefined : this.#inPack(pack, offset, chain);
      if (object !== undefined) return object;
    }
    return undefined;
  }

  #inPack(pack: Pack, offset: number, chain: number): GitObject | undefined {
    pack.file ??= this.#view.open(pack.path);
    const { file } = pack;
    if (file === undefined || chain === 0) return undefined;
    const { kind, size, at, base: named } = packEntry(readAt(file, offset, ENTRY_BYTES));
    if (size > MAX_OBJECT_BYTES) return undefined;
    const base = this.#baseOf(pack, offset, named, chain - 1);
    const bytes = inflateSync(readAt(file, offset + at, size + (size >> 3) + ENTRY_BYTES), {
      maxOutputLength: Math.max(size, 1),
    });
    if (bytes.length !== size) return undefined;
    if (base !== undefined)
      return { type: base.type, bytes: applyDelta(base.bytes, bytes, MAX_OBJECT_BYTES) };
    const type = TYPES[kind];
    return type === undefined ? undefined : { type, bytes };
  }

  #baseOf(pack: Pack, offset: number, base: PackBase | undefined, chain: number): GitObject | undefined {
    if (base === undefined) return undefined;
    if (base.type === 'before') return this.#inPack(pack, offset - base.distance, chain);
    return this.#loose(base.name) ?? this.#packed(base.name, chain);
  }

  #findPacks(): readonly Pack[] {
    const folder = `${this.#folder}/pack`;
    const names = this.#view.names(folder).filter((name) => /^pack-[0-9a-f]{40}\.idx$/.test(name));
    return names.slice(0, MAX_PACKS).flatMap((name) => {
      const bytes = this.#view.read(`${folder}/${name}`, MAX_INDEX_BYTES);
      const index = bytes === undefined ? undefined : PackIndex.read(bytes);
      return index === undefined ? [] : [{ path: `${folder}/${name.slice(0, -3)}pack`, index }];
    });
  }

  [Symbol.dispose](): void {
    for (const { file } of this.#packs ?? []) file?.[Symbol.dispose]();
  }
}

/** The name that git gives a content, hex. */
function nameOf({ type, bytes }: GitObject): string {
  return createHash('sha1').update(`${type} ${bytes.length}\0`).update(bytes).digest('hex');
}

function isType(text: string | undefined): text is ObjectType {
  return text === 'commit' || text === 'tree' || text === 'blob' || text === 'tag';
}
