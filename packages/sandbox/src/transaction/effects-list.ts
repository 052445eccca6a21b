import {
  BulkheadError,
  type CommandEffects,
  type CommandProblem,
  type ObservedChange,
} from '@bulkhead/protocol';
import type { ControlRecord } from './control-record.ts';

/** The launcher lists at most a million, which the engine must hold in memory. */
const MAX_CHANGES = 500_000;
const MAX_PROBLEMS = 1_000;
/**
 * Names and targets together: half a million names of four thousand bytes would be two gigabytes.
 */
const MAX_NAME_BYTES = 64 * 1024 ** 2;

const TOO_LONG: CommandProblem = { code: 'too-many', path: new Uint8Array() };

/**
 * Gathers the records between `ended` and the launcher's question, in the order the protocol
 * allows.
 */
export class EffectsList {
  readonly #changes: ObservedChange[] = [];
  readonly #problems: CommandProblem[] = [];
  readonly #notes: CommandProblem[] = [];
  #status: number | undefined;
  #stopped: string | undefined;
  #leaves = false;
  #nameBytes = 0;
  #left = 0;

  /**
   * @returns the whole list with its last record, undefined before
   * @throws BulkheadError `protocol_violation` for an unexpected record
   */
  take(record: ControlRecord): CommandEffects | undefined {
    if (this.#beginning(record)) return undefined;
    if (this.#status === undefined) throw outOfPlace(record);
    switch (record.type) {
      case 'change':
        return this.#change(record.change);
      case 'target':
        return this.#target(record.target);
      case 'problem':
        return this.#add(this.#problems, record.problem, MAX_PROBLEMS);
      case 'note':
        return this.#add(this.#notes, record.problem, MAX_PROBLEMS);
      case 'effects':
        if (record.count !== this.#changes.length + this.#left) throw outOfPlace(record);
        return {
          status: this.#status,
          changes: this.#changes,
          problems: this.#left === 0 ? this.#problems : [...this.#problems, TOO_LONG],
          notes: this.#notes,
          ...(this.#stopped === undefined ? {} : { stopped: this.#stopped }),
        };
      default:
        throw outOfPlace(record);
    }
  }

  /** True for a record that stands before the changes. */
  #beginning(record: ControlRecord): boolean {
    if (record.type === 'stopped') {
      if (this.#stopped !== undefined || this.#status !== undefined) throw outOfPlace(record);
      this.#stopped = record.code;
      return true;
    }
    if (record.type === 'left' || record.type === 'goes-on') {
      if (this.#leaves || this.#status !== undefined) throw outOfPlace(record);
      this.#leaves = true;
      return true;
    }
    if (record.type === 'ended') {
      if (this.#status !== undefined) throw outOfPlace(record);
      this.#status = record.status;
      return true;
    }
    return false;
  }

  #leaveLast(): void {
    this.#changes.pop();
    this.#left += 1;
  }

  #add<Item>(list: Item[], item: Item, most: number): undefined {
    if (list.length + this.#left >= most)
      throw new BulkheadError('protocol_violation', `the launcher lists more than ${most} entries`);
    list.push(item);
  }

  /** An excess is counted, and makes a commit impossible. */
  #change(change: ObservedChange): undefined {
    if (!this.#holds(change.path)) {
      this.#left += 1;
      return undefined;
    }
    return this.#add(this.#changes, change, MAX_CHANGES);
  }

  #holds({ length }: Uint8Array): boolean {
    this.#nameBytes += length;
    return this.#left === 0 && this.#nameBytes <= MAX_NAME_BYTES;
  }

  #target(target: Uint8Array): undefined {
    if (this.#left > 0) return undefined;
    const last = this.#changes.at(-1);
    if (last?.kind !== 'link' || last.target !== undefined) {
      throw new BulkheadError('protocol_violation', 'the launcher sent a target without a link');
    }
    if (this.#holds(target)) this.#changes[this.#changes.length - 1] = { ...last, target };
    else this.#leaveLast();
  }
}

function outOfPlace({ type }: ControlRecord): BulkheadError {
  return new BulkheadError('protocol_violation', `the launcher sent "${type}" out of its place`);
}
