import { resolve } from 'node:path';
import { BulkheadError, type IdSource } from '@bulkhead/protocol';
import type { EngineLink } from '../engine-link.ts';
import { readSession } from '../session-reads.ts';
import { Session } from './session.ts';

/** A session as an entry of a list. */
export interface SessionInfo {
  readonly id: string;
  readonly title: string;
  /** Absolute path. */
  readonly folder: string;
  /** RFC 3339. */
  readonly updatedAt: string;
  readonly offTheRecord: boolean;
}

/** The parts of a `Bulkhead`; programs call `createBulkhead`. */
export interface BulkheadParts {
  readonly link: EngineLink;
  readonly home: string;
  readonly cwd: string;
  readonly newId: IdSource;
  readonly onConnection: (state: 'lost' | 'back') => void;
  readonly onClose: () => Promise<void>;
}

/**
 * A connection to an engine. It survives a crash or restart of the engine: calls are repeated, and
 * events continue after the last received one. Close it, otherwise the program does not end.
 */
export class Bulkhead implements AsyncDisposable {
  readonly #parts: BulkheadParts;
  readonly #life = new AbortController();
  readonly #takenCalls = new Set<string>();
  #closed: Promise<void> | undefined;

  constructor(parts: BulkheadParts) {
    this.#parts = parts;
  }

  /** Absolute path of the home. */
  get home(): string {
    return this.#parts.home;
  }

  /**
   * Creates a session. Files of its folder are no instructions unless a person trusts the folder
   * (`bulkhead trust`).
   *
   * @param options.cwd the working folder; absent, that of this `Bulkhead`
   * @param options.offTheRecord it is not written to disk, tools only read, and it ends with the
   *   engine
   * @throws BulkheadError `usage` for an unusable folder
   */
  async createSession(
    options: { readonly cwd?: string; readonly offTheRecord?: boolean } = {},
  ): Promise<Session> {
    const { offTheRecord = false } = options;
    const folder = resolve(this.#parts.cwd, options.cwd ?? '.');
    const { sessionId } = await this.#parts.link.once((client) =>
      client.call('createSession', { workingFolder: folder, offTheRecord }, this.#life.signal),
    );
    return this.#session(sessionId, folder);
  }

  /**
   * Opens an existing session.
   *
   * @param id its id, or at least six characters of the beginning or the end of it
   * @throws BulkheadError `not_found`, `store_corrupt`; `usage` if several sessions match
   */
  async openSession(id: string): Promise<Session> {
    const { signal } = this.#life;
    const known = await this.#parts.link.repeat((client) => readSession(client, id, signal), signal);
    if (known.damage !== '') throw new BulkheadError('store_corrupt', known.damage);
    return this.#session(known.sessionId, known.workingFolder);
  }

  /** Newest first. @param limit 0 for the engine's own limit */
  async sessions(limit = 0): Promise<readonly SessionInfo[]> {
    const { sessions } = await this.#listed(limit);
    return sessions.map(({ sessionId, title, workingFolder, updatedAt, offTheRecord }) => ({
      id: sessionId,
      title,
      folder: workingFolder,
      updatedAt,
      offTheRecord,
    }));
  }

  /**
   * Disconnects from the engine; an isolated one is stopped together with its runs. Active
   * iterations end with `cancelled`.
   */
  close(): Promise<void> {
    this.#life.abort();
    this.#closed ??= this.#parts.onClose();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #listed(limit: number) {
    const { signal } = this.#life;
    return this.#parts.link.repeat((client) => client.call('listSessions', { limit }, signal), signal);
  }

  #session(id: string, folder: string): Session {
    const { link, newId, onConnection } = this.#parts;
    const { signal: life } = this.#life;
    return new Session({ link, id, folder, newId, onConnection, life, takenCalls: this.#takenCalls });
  }
}
