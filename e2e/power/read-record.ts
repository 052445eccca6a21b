import { readFileSync } from 'node:fs';
import type { Entry, Moment, ObjectId, ObjectType, Operation } from './operation.ts';

/** A line as the recorder writes it; which fields are there depends on `op`. */
interface Line {
  readonly op: string;
  readonly begun: string;
  readonly ended: string;
  readonly kind?: ObjectType;
  readonly number?: number;
  readonly mode?: number;
  readonly parent?: number;
  readonly name?: string;
  readonly target?: string;
  readonly fromParent?: number;
  readonly from?: string;
  readonly toParent?: number;
  readonly to?: string;
  readonly offset?: number;
  readonly size?: number;
  readonly at?: number;
  readonly length?: number;
  readonly path?: string;
  readonly bornSeconds?: number;
  readonly bornNanoseconds?: number;
  readonly changedSeconds?: number;
  readonly changedNanoseconds?: number;
}

/** Names of files that lie in memory only and mean nothing after a loss of power. */
const VOLATILE = /-shm$/;

/**
 * Reads what the recorder has written.
 *
 * @param log path of its log
 * @throws Error if a file was written through memory, which no recorder sees
 */
export function readRecord(log: string): readonly Operation[] {
  const data = readFileSync(`${log}.data`);
  const lines = readFileSync(log, 'utf8').split('\n').slice(0, -1);
  const reader = new RecordReader(data);
  return lines.flatMap((line) => reader.read(JSON.parse(line)));
}

class RecordReader {
  readonly #data: Uint8Array;
  /** The object that a number of an inode stands for now. */
  readonly #current = new Map<number, ObjectId>();
  #count = 0;

  constructor(data: Uint8Array) {
    this.#data = data;
  }

  read(line: Line): readonly Operation[] {
    const span = { begun: Number(line.begun), ended: Number(line.ended) };
    const { mode = 0 } = line;
    const object = this.#current.get(line.number ?? 0);
    const at = this.#entry(line.parent, line.name);
    const changed = momentOf(line.changedSeconds, line.changedNanoseconds);
    switch (line.op) {
      case 'made':
        return this.#made(line, changed, at);
      case 'wrote':
        return [
          {
            ...span,
            kind: 'write',
            object: known(object, line),
            offset: line.offset ?? 0,
            bytes: this.#bytes(line),
            changed,
          },
        ];
      case 'sized':
        return [{ ...span, kind: 'resize', object: known(object, line), size: line.size ?? 0, changed }];
      case 'renamed':
      case 'exchanged':
        return this.#renamed(line);
      case 'linked':
        return at === undefined ? [] : [{ ...span, kind: 'link', object: known(object, line), at }];
      case 'removed':
        return at === undefined ? [] : [{ ...span, kind: 'remove', at }];
      case 'attributes':
        return object === undefined ? [] : [{ ...span, kind: 'attributes', object, mode, changed }];
      case 'flushed':
        return [{ ...span, kind: 'flush', object: known(object, line) }];
      case 'flushed-all':
        return [{ ...span, kind: 'flush-all' }];
      case 'mapped':
        if (VOLATILE.test(line.path ?? '')) return [];
        throw new Error(`${line.path} was mapped for writing: what is written so is not recorded`);
      default:
        throw new Error(`the record holds an operation that nobody knows: ${line.op}`);
    }
  }

  #renamed(line: Line): readonly Operation[] {
    const [from, to] = [this.#entry(line.fromParent, line.from), this.#entry(line.toParent, line.to)];
    // The files that the kernel's overlay keeps for itself are in no folder that the record knows.
    if (from === undefined || to === undefined) return [];
    const span = { begun: Number(line.begun), ended: Number(line.ended) };
    return [{ ...span, kind: 'rename', from, to, isExchange: line.op === 'exchanged' }];
  }

  #made(line: Line, changed: Moment, at: Entry | undefined): readonly Operation[] {
    const span = { begun: Number(line.begun), ended: Number(line.ended) };
    const { number = 0, mode = 0, target = '', kind = 'other' } = line;
    this.#count += 1;
    const object = this.#count;
    this.#current.set(number, object);
    const born = momentOf(line.bornSeconds, line.bornNanoseconds);
    const make: Operation = {
      ...span,
      kind: 'make',
      object,
      birth: { type: kind, number, mode, born, changed, target },
      at,
    };
    if ((line.length ?? 0) === 0) return [make];
    return [make, { ...span, kind: 'write', object, offset: 0, bytes: this.#bytes(line), changed }];
  }

  #entry(parent: number | undefined, name: string | undefined): Entry | undefined {
    const folder = parent === undefined ? undefined : this.#current.get(parent);
    return folder === undefined || name === undefined ? undefined : { folder, name };
  }

  #bytes({ at = 0, length = 0 }: Line): Uint8Array {
    return this.#data.subarray(at, at + length);
  }
}

function known(object: ObjectId | undefined, line: Line): ObjectId {
  if (object === undefined) throw new Error(`the record does not know inode ${line.number} (${line.op})`);
  return object;
}

function momentOf(seconds = 0, nanoseconds = 0): Moment {
  return { seconds, nanoseconds };
}
