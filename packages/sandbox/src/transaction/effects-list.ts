import {
  BulkheadError,
  type CommandEffects,
  type CommandProblem,
  type ObservedChange,
} from '@bulkhead/protocol';
import type { ControlRecord } from './control-record.ts';

/** The launcher lists at most a million; the engine's memory is to hold them. */
const MAX_CHANGES = 500_000;
const MAX_PROBLEMS = 1_000;

/** Gathers the records between `ended` and the launcher's question, in the order the protocol allows. */
export class EffectsList {
  readonly #changes: ObservedChange[] = [];
  readonly #problems: CommandProblem[] = [];
  readonly #notes: CommandProblem[] = [];
  #status: number | undefined;
  #stopped: string | undefined;

  /**
   * @returns the whole list with its last record, undefined before
   * @throws BulkheadError `protocol_violation` for a record that has no place here
   */
  take(record: ControlRecord): CommandEffects | undefined {
    if (record.type === 'stopped') {
      if (this.#stopped !== undefined || this.#status !== undefined) throw outOfPlace(record);
      this.#stopped = record.code;
      return undefined;
    }
    if (record.type === 'ended') {
      if (this.#status !== undefined) throw outOfPlace(record);
      this.#status = record.status;
      return undefined;
    }
    if (this.#status === undefined) throw outOfPlace(record);
    switch (record.type) {
      case 'change':
        return this.#add(this.#changes, record.change, MAX_CHANGES);
      case 'target':
        return this.#target(record.target);
      case 'problem':
        return this.#add(this.#problems, record.problem, MAX_PROBLEMS);
      case 'note':
        return this.#add(this.#notes, record.problem, MAX_PROBLEMS);
      case 'effects':
        if (record.count !== this.#changes.length) throw outOfPlace(record);
        return {
          status: this.#status,
          changes: this.#changes,
          problems: this.#problems,
          notes: this.#notes,
          ...(this.#stopped === undefined ? {} : { stopped: this.#stopped }),
        };
      default:
        throw outOfPlace(record);
    }
  }

  #add<Item>(list: Item[], item: Item, most: number): undefined {
    if (list.length >= most)
      throw new BulkheadError('protocol_violation', `the launcher lists more than ${most} entries`);
    list.push(item);
  }

  #target(target: Uint8Array): undefined {
    const last = this.#changes.at(-1);
    if (last?.kind !== 'link' || last.target !== undefined) {
      throw new BulkheadError('protocol_violation', 'the launcher sent a target without a link');
    }
    this.#changes[this.#changes.length - 1] = { ...last, target };
  }
}

function outOfPlace({ type }: ControlRecord): BulkheadError {
  return new BulkheadError('protocol_violation', `the launcher sent "${type}" out of its place`);
}
