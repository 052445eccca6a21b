import { BulkheadError } from '@bulkhead/protocol';
import { createMemorySessionStore, type SessionStore } from '@bulkhead/sessions';
import type { Life } from './life.ts';

/**
 * The disk's result for one write. Refused: it is full, and may have room later. Broken: this
 * engine can't write any more. Dying before or after it: the engine never learns the outcome.
 */
export type DiskAnswer = 'written' | 'refused' | 'broken' | 'dies before' | 'dies after';

interface Write {
  readonly sessionId: string;
  readonly durable: boolean;
  apply(store: SessionStore): unknown;
}

const WRITES: ReadonlySet<PropertyKey> = new Set(['createSession', 'append', 'deleteSession']);

/**
 * The session store as a machine has it: it survives engines. A killed process loses nothing it has
 * written; a power cut removes everything after the last write that waited for the disk.
 */
export class SimulatedDisk {
  #store = createMemorySessionStore();
  #writes: Write[] = [];
  #safe = 0;
  readonly #answer: (life: Life) => DiskAnswer;
  readonly #dies: (life: Life, where: string) => void;
  readonly #written: (sessionId: string) => number;
  /** Of each session, the last record that a power cut would keep, and the last one. */
  readonly #safePositions = new Map<string, number>();
  readonly #positions = new Map<string, number>();

  constructor(parts: {
    readonly answer: (life: Life) => DiskAnswer;
    /** Ends an engine during a write. */
    readonly dies: (life: Life, where: string) => void;
    /** Called after every successful write; returns the session's last position. */
    readonly written: (sessionId: string) => number;
  }) {
    this.#answer = parts.answer;
    this.#dies = parts.dies;
    this.#written = parts.written;
  }

  /** The content, for checks. */
  get store(): SessionStore {
    return this.#store;
  }

  /** True if a power cut would keep this record of a session. */
  isSafe(sessionId: string, pos: number): boolean {
    return pos <= (this.#safePositions.get(sessionId) ?? 0);
  }

  /** The audit log may name only records of a session that a power cut would keep. */
  flushedPos(sessionId: string): number {
    return this.#safePositions.get(sessionId) ?? 0;
  }

  /** The store as one engine sees it; after the engine's death it shows and changes nothing. */
  open(life: Life): SessionStore {
    return new Proxy(this.#store, {
      get: (store, name: keyof SessionStore) => {
        if (name === 'close') return () => {};
        if (name === 'flush') return () => this.#flush(life);
        if (WRITES.has(name)) return (...args: unknown[]) => this.#write(life, name, args);
        return (...args: unknown[]) => {
          life.check();
          return Reflect.apply(store[name], store, args);
        };
      },
    });
  }

  /** Removes data that never reached the disk. */
  cutPower(): void {
    this.#writes = this.#writes.slice(0, this.#safe);
    this.#store = createMemorySessionStore();
    for (const write of this.#writes) write.apply(this.#store);
    this.#positions.clear();
    for (const [sessionId, pos] of this.#safePositions) this.#positions.set(sessionId, pos);
  }

  async #flush(life: Life): Promise<void> {
    this.#ask(life, () => this.#sync());
  }

  #write(life: Life, name: keyof SessionStore, args: readonly unknown[]): unknown {
    return this.#ask(life, () => this.#apply(name, args));
  }

  #ask<T>(life: Life, write: () => T): T {
    life.check();
    const answer = this.#answer(life);
    if (answer === 'dies before') this.#dies(life, 'before a write');
    life.check();
    if (answer === 'refused' || answer === 'broken') {
      const retryable = answer === 'refused';
      throw new BulkheadError('store_failed', `the disk is ${retryable ? 'full' : 'broken'} (simulated)`, {
        retryable,
      });
    }
    const result = write();
    if (answer === 'dies after') this.#dies(life, 'after a write');
    life.check();
    return result;
  }

  #apply(name: keyof SessionStore, args: readonly unknown[]): unknown {
    const kept = structuredClone(args.map(withoutAlso));
    const write: Write = {
      sessionId: sessionOf(args[0]),
      durable: !(name === 'append' && isNotDurable(args[2])),
      apply: (store) => Reflect.apply(store[name], store, kept),
    };
    const result = write.apply(this.#store);
    this.#writes.push(write);
    this.#positions.set(write.sessionId, this.#written(write.sessionId));
    if (write.durable) this.#sync();
    return result;
  }

  #sync(): void {
    this.#safe = this.#writes.length;
    for (const [sessionId, pos] of this.#positions) this.#safePositions.set(sessionId, pos);
  }
}

/**
 * The simulated engines do not store owners of sessions, so the transaction has no other table to
 * change.
 */
function withoutAlso(argument: unknown): unknown {
  if (typeof argument !== 'object' || argument === null || !('also' in argument)) return argument;
  const { also: _also, ...rest } = argument;
  return rest;
}

function isNotDurable(options: unknown): boolean {
  return typeof options === 'object' && options !== null && 'durable' in options && options.durable === false;
}

function sessionOf(first: unknown): string {
  if (typeof first === 'string') return first;
  return typeof first === 'object' && first !== null && 'id' in first ? String(first.id) : '';
}
