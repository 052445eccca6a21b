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
  transactionFolder,
} from '@bulkhead/protocol';
import type { CountedLoss, SnapshotStage } from '../pipeline/stages.ts';
import type { EarlierLosses } from '../transactions/losses.ts';

interface StageParts {
  readonly chronicle: Chronicle;
  /**
   * A command is stored so that people recognise it, and may contain secrets that must not be
   * stored [A7].
   */
  readonly redaction: Redaction;
  /**
   * Receives the error of a final state that could not be read: the snapshot stays open for a later
   * attempt.
   */
  onFailure(actionId: string, error: unknown): void;
  /** Receives the reason why a snapshot failed. */
  onError(error: unknown): void;
}

/** Snapshots of actions, in the chronicle. Knows the open ones, and so which were interrupted. */
export class ChronicleStage implements SnapshotStage {
  readonly #parts: StageParts;
  readonly #open = new Set<string>();

  constructor(parts: StageParts) {
    this.#parts = parts;
  }

  /** True while the action is running. */
  isOpen(actionId: string): boolean {
    return this.#open.has(actionId);
  }

  async take(action: Action, changes: readonly FileChange[], folder?: string): Promise<void> {
    const { command, effect, paths, workingFolder } = action.metadata;
    // The changes of a command are known when it ends; a command that writes directly announces
    // this before approval.
    if (command !== undefined || effect === 'pure') return;
    if (folder !== undefined) {
      const named = changes.map((change) => namedPath(folder, `${folder}/${change.path}`, change));
      if (named.length > 0)
        await this.#take(action, named, { folder, about: changes.map(({ path }) => path).join(', ') });
      return;
    }
    const written = paths.filter(({ access }) => access === 'write');
    if (written.length === 0) return;
    const foretold = changes.length === written.length ? changes : [];
    const named = written.map(({ path }, index) => namedPath(workingFolder, path, foretold[index]));
    await this.#take(action, named);
  }

  async takeEffects(action: Action, effects: CommandEffects, lost?: CountedLoss): Promise<void> {
    const { changes, goneOn } = effects;
    const about = goneOn === undefined ? {} : { about: goneOn.command };
    if (changes.length > 0)
      await this.#take(action, changes.map(effectPath), { ...about, lost, isCommand: true });
  }

  earlierLosses({ runId, sessionId, metadata }: Action): EarlierLosses {
    const { chronicle } = this.#parts;
    const folder = transactionFolder(metadata);
    return {
      count: chronicle.lostIn(runId),
      isMade: (path, hash) => chronicle.isMade({ session: sessionId, folder }, path, hash),
    };
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
    said: {
      readonly folder?: string;
      readonly about?: string;
      readonly lost?: CountedLoss | undefined;
      readonly isCommand?: boolean;
    } = {},
  ): Promise<void> {
    const { id, runId, sessionId, tool, metadata } = action;
    const { folder = transactionFolder(metadata), about = metadata.command ?? namesOf(action), lost } = said;
    const isCommand = said.isCommand ?? metadata.command !== undefined;
    try {
      await this.#parts.chronicle.take({
        id,
        run: runId,
        session: sessionId,
        tool,
        about: this.#parts.redaction.redact(about),
        folder,
        paths,
        isCommand,
        ...(lost === undefined ? {} : { lost }),
      });
    } catch (error) {
      this.#parts.onError(error);
      throw error;
    }
    this.#open.add(id);
  }
}

/** Names that a person would use for the files of an action. */
function namesOf({ metadata: { paths, workingFolder } }: Action): string {
  const written = paths.filter(({ access }) => access === 'write');
  return written.map(({ path }) => relative(workingFolder, path) || '.').join(', ');
}

/** @throws BulkheadError `blocked` for a place outside the folder: no snapshot of it is possible */
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
