import { relative } from 'node:path';
import type { Chronicle, NamedPath } from '@bulkhead/chronicle';
import { below, pathFromArgument, pathFromBytes } from '@bulkhead/files';
import {
  type Action,
  BulkheadError,
  type CommandEffects,
  type FileChange,
  type ObservedChange,
  type Redaction,
} from '@bulkhead/protocol';
import type { SnapshotStage } from '../pipeline/stages.ts';

interface StageParts {
  readonly chronicle: Chronicle;
  /** A command is kept for people to know it again, and may hold what nothing keeps [A7]. */
  readonly redaction: Redaction;
  /** Told what could not be seen: the snapshot stays open, and is looked at again later. */
  onFailure(actionId: string, error: unknown): void;
  /** Hears why a snapshot could not be taken. */
  onError(error: unknown): void;
}

/** Snapshots of actions, in the chronicle. Knows which are open, and so which have been cut off. */
export class ChronicleStage implements SnapshotStage {
  readonly #parts: StageParts;
  readonly #open = new Set<string>();

  constructor(parts: StageParts) {
    this.#parts = parts;
  }

  /** True while the action goes on. */
  isOpen(actionId: string): boolean {
    return this.#open.has(actionId);
  }

  async take(action: Action, changes: readonly FileChange[], folder?: string): Promise<void> {
    const { command, effect, paths, workingFolder } = action.metadata;
    // What a command changes is known when it has ended; one that writes by itself says so before it is allowed.
    if (command !== undefined || effect === 'pure') return;
    if (folder !== undefined) {
      const named = changes.map((change) => namedPath(folder, `${folder}/${change.path}`, change));
      if (named.length > 0)
        await this.#take(action, named, folder, changes.map(({ path }) => path).join(', '));
      return;
    }
    const written = paths.filter(({ access }) => access === 'write');
    if (written.length === 0) return;
    const foretold = changes.length === written.length ? changes : [];
    const named = written.map(({ path }, index) => namedPath(workingFolder, path, foretold[index]));
    await this.#take(action, named);
  }

  async takeEffects(action: Action, { changes }: CommandEffects): Promise<void> {
    if (changes.length > 0) await this.#take(action, changes.map(effectPath));
  }

  async finish({ id }: Action): Promise<void> {
    if (!this.#open.has(id)) return;
    try {
      await this.#parts.chronicle.finish(id);
    } catch (error) {
      this.#parts.onFailure(id, error);
    } finally {
      this.#open.delete(id);
    }
  }

  async #take(
    action: Action,
    paths: readonly NamedPath[],
    folder = action.metadata.workingFolder,
    about = action.metadata.command ?? namesOf(action),
  ): Promise<void> {
    const { id, runId, sessionId, tool } = action;
    try {
      await this.#parts.chronicle.take({
        id,
        run: runId,
        session: sessionId,
        tool,
        about: this.#parts.redaction.redact(about),
        folder,
        paths,
      });
    } catch (error) {
      this.#parts.onError(error);
      throw error;
    }
    this.#open.add(id);
  }
}

/** What a person would call the files of an action by. */
function namesOf({ metadata: { paths, workingFolder } }: Action): string {
  const written = paths.filter(({ access }) => access === 'write');
  return written.map(({ path }) => relative(workingFolder, path) || '.').join(', ');
}

/** @throws BulkheadError `blocked` for a place outside the folder, which no snapshot could be taken of */
function namedPath(folder: string, path: string, change: FileChange | undefined): NamedPath {
  const names = below(pathFromArgument(path).names, pathFromBytes(Buffer.from(folder)).names);
  if (names === undefined) {
    throw new BulkheadError('blocked', `${path} lies outside ${folder}: it could not be undone`);
  }
  const bytes = Buffer.from(names.map((name) => name.toString('latin1')).join('/'), 'latin1');
  if (change === undefined) return { path: bytes };
  const { after } = change;
  return {
    path: bytes,
    expected: after === null ? { kind: 'missing' } : { kind: 'file', hash: after },
  };
}

function effectPath({ path, what, kind, size }: ObservedChange): NamedPath {
  const left = what === 'deleted' ? 'missing' : kind;
  return { path, expected: { kind: left, ...(left === 'file' ? { size } : {}) } };
}
