import type { Birth, Entry, Moment, ObjectId, Operation } from './operation.ts';

/** An object as it lies on a modelled disk. */
export interface DiskObject {
  readonly id: ObjectId;
  readonly birth: Birth;
  mode: number;
  changed: Moment;
  bytes: Uint8Array;
  /** Names in a folder. */
  readonly entries: Map<string, ObjectId>;
}

/** A path on a disk, and what lies there. */
export interface PlacedObject {
  readonly path: string;
  readonly object: DiskObject;
}

/** A disk in memory: what operations make of it. Operations on what is not there do nothing. */
export class DiskModel {
  readonly #objects = new Map<ObjectId, DiskObject>();
  #root: ObjectId | undefined;

  /** @param operations in order; flushes change nothing that can be seen */
  static after(operations: Iterable<Operation>): DiskModel {
    const disk = new DiskModel();
    for (const operation of operations) disk.#apply(operation);
    return disk;
  }

  /** Everything that has a name, folders before what lies in them. The root is ''. */
  *placed(): Generator<PlacedObject> {
    const root = this.#root === undefined ? undefined : this.#objects.get(this.#root);
    if (root !== undefined) yield* this.#below('', root);
  }

  *#below(path: string, object: DiskObject): Generator<PlacedObject> {
    yield { path, object };
    for (const [name, id] of object.entries) {
      const child = this.#objects.get(id);
      if (child !== undefined) yield* this.#below(path === '' ? name : `${path}/${name}`, child);
    }
  }

  #apply(operation: Operation): void {
    switch (operation.kind) {
      case 'make':
        this.#make(operation.object, operation.birth, operation.at);
        return;
      case 'write':
        this.#write(operation.object, operation.offset, operation.bytes, operation.changed);
        return;
      case 'resize':
        this.#resize(operation.object, operation.size, operation.changed);
        return;
      case 'rename':
        this.#rename(operation.from, operation.to, operation.isExchange);
        return;
      case 'link':
        if (this.#objects.has(operation.object)) this.#put(operation.at, operation.object);
        return;
      case 'remove':
        this.#objects.get(operation.at.folder)?.entries.delete(operation.at.name);
        return;
      case 'attributes': {
        const object = this.#objects.get(operation.object);
        if (object === undefined) return;
        object.mode = operation.mode;
        object.changed = operation.changed;
        return;
      }
      case 'flush':
      case 'flush-all':
    }
  }

  #make(id: ObjectId, birth: Birth, at: Entry | undefined): void {
    const { mode, changed } = birth;
    this.#objects.set(id, { id, birth, mode, changed, bytes: new Uint8Array(), entries: new Map() });
    if (at !== undefined) this.#put(at, id);
    else if (birth.type === 'folder') this.#root ??= id;
  }

  #put({ folder, name }: Entry, id: ObjectId): void {
    this.#objects.get(folder)?.entries.set(name, id);
  }

  #write(id: ObjectId, offset: number, bytes: Uint8Array, changed: Moment): void {
    const object = this.#objects.get(id);
    if (object === undefined) return;
    const grown = new Uint8Array(Math.max(object.bytes.length, offset + bytes.length));
    grown.set(object.bytes);
    grown.set(bytes, offset);
    object.bytes = grown;
    object.changed = changed;
  }

  #resize(id: ObjectId, size: number, changed: Moment): void {
    const object = this.#objects.get(id);
    if (object === undefined) return;
    const resized = new Uint8Array(size);
    resized.set(object.bytes.subarray(0, size));
    object.bytes = resized;
    object.changed = changed;
  }

  #rename(from: Entry, to: Entry, isExchange: boolean): void {
    const source = this.#objects.get(from.folder)?.entries;
    const target = this.#objects.get(to.folder)?.entries;
    const moved = source?.get(from.name);
    const met = target?.get(to.name);
    if (moved === undefined || target === undefined) return;
    source?.delete(from.name);
    target.set(to.name, moved);
    if (isExchange && met !== undefined) source?.set(from.name, met);
  }
}
