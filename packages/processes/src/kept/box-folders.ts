import { mkdirSync } from 'node:fs';
import { BulkheadError, type Clock, type Timers } from '@bulkhead/protocol';
import type { KeptFolders, Sandbox } from '@bulkhead/sandbox';
import { boxIdOf, entriesIn, readBoxRecord } from './box-record.ts';
import { BoxSize } from './box-size.ts';
import { changeOf, makeFolders, makeMountPoint, PLAIN_ID, timesOf, usedAt } from './made-folders.ts';

/** A session's temporary folders unused for this long are removed. */
const UNUSED_MS = 7 * 24 * 3_600_000;
/** Most time that a command waits for the size of its home. */
const WAIT_MS = 2_000;
const MOST_BEGUN = 1_000;

export interface BoxFoldersParts {
  /** `<folder>/<workspace>/home` and `<folder>/<workspace>/tmp/<session>`; made if missing. */
  readonly folder: string;
  readonly sandbox: Pick<Sandbox, 'measure' | 'remove'>;
  /** Above this, a home is read-only. */
  readonly maxBytes: number;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Off the record, nothing is kept. */
  isOffTheRecord(sessionId: string): boolean;
  readonly onError: (error: unknown) => void;
}

/** A command that runs with the private folders of its workspace. */
export interface BoxUse {
  readonly sessionId: string;
  readonly actionId: string;
  /** True if it gets none of them. */
  readonly isApart?: boolean;
}

/** A command's use of the private folders of its workspace. */
export interface BoxStay extends Disposable {
  readonly kept: KeptFolders;
  /** For model and user, a clause each. Call it once the command has ended. */
  remarks(): readonly string[];
}

/** Private folders of a workspace, as shown to a person. */
export interface BoxInfo {
  /** The working folder. */
  readonly workingFolder: string;
  /** Where the private folders lie. */
  readonly path: string;
  /** Undefined before they were measured. */
  readonly bytes: number | undefined;
  readonly isWhole: boolean;
  readonly maxBytes: number;
  readonly usedAt: number;
  /** Commands that run with them now. */
  readonly running: number;
}

interface Workspace {
  readonly path: string;
  readonly size: BoxSize;
  running: number;
  /** Sessions that know that their files are kept. */
  readonly informed: Set<string>;
}

/** A command, until somebody has asked for its changes. */
interface Begun {
  readonly workspace: Workspace;
  readonly since: number;
  /** Of the home folder itself, before the command: measurements tell only of what is in it. */
  readonly homeChanged: bigint | undefined;
  /** False if it may write to none of them. */
  isKept: boolean;
  /** Resolves when its last process has ended; undefined after that. */
  running: Promise<void> | undefined;
}

/**
 * The private home of each workspace and the temporary folders of each session. Commands write
 * there as they like, so this object never opens anything in them: the launcher measures and removes
 * them by descriptor.
 */
export class BoxFolders implements Disposable {
  readonly #parts: BoxFoldersParts;
  readonly #workspaces = new Map<string, Workspace>();
  /** Commands by their actions, until somebody has asked for their changes. */
  readonly #begun = new Map<string, Begun>();

  constructor(parts: BoxFoldersParts) {
    this.#parts = parts;
    mkdirSync(parts.folder, { recursive: true, mode: 0o700 });
  }

  /**
   * @param place the working folder: its path, and its identity
   * @param use `isApart` for a command that gets empty folders, which end with it
   * @returns dispose when the last process of the command has ended
   */
  async enter(
    place: { readonly path: string; readonly identity: string },
    { sessionId, actionId, isApart = false }: BoxUse,
  ): Promise<BoxStay> {
    const id = boxIdOf(place.path, place.identity);
    const known = this.#workspace(id, place);
    const { home, temp } = makeFolders(known.path, sessionId, this.#parts.clock.now());
    known.size.keep();
    makeMountPoint(temp, place.path);
    const end = Promise.withResolvers<void>();
    const facts = { since: this.#parts.clock.now(), homeChanged: changeOf(home) };
    const begun: Begun = { workspace: known, ...facts, isKept: true, running: end.promise };
    this.#forgetOldest();
    this.#begun.set(actionId, begun);
    const isOpen = !isApart && !this.#parts.isOffTheRecord(sessionId);
    known.running += 1;
    const size = await known.size.settled(WAIT_MS);
    const isFull = size !== undefined && (!size.isWhole || size.bytes > this.#parts.maxBytes);
    const isKept = isOpen && !isFull;
    begun.isKept = isKept;
    const kept: KeptFolders = isApart
      ? {}
      : { home: { from: home, readOnly: !isKept }, ...(isKept ? { temp } : {}) };
    const before = isKept ? timesOf(home, temp) : '';
    let isLeft = false;
    return {
      kept,
      remarks: () => {
        if (isOpen && isFull) return [fullText(size.bytes, this.#parts.maxBytes)];
        if (!isKept || known.informed.has(sessionId) || timesOf(home, temp) === before) return [];
        known.informed.add(sessionId);
        return [KEPT];
      },
      [Symbol.dispose]: () => {
        if (isLeft) return;
        isLeft = true;
        begun.running = undefined;
        known.running -= 1;
        if (isKept) known.size.mayHaveChanged();
        end.resolve();
      },
    };
  }

  /** Resolves when the last process of a command has ended; undefined if none runs. */
  left(actionId: string): Promise<void> | undefined {
    return this.#begun.get(actionId)?.running;
  }

  /**
   * Whether a command may have changed anything in its private folders, or another command since it
   * began. Once for each command.
   */
  async changedBy(actionId: string): Promise<boolean> {
    const begun = this.#begun.get(actionId);
    // A process that it left may still write.
    if (begun === undefined || begun.running !== undefined) return true;
    this.#begun.delete(actionId);
    if (!begun.isKept) return false;
    // If the clock was set back, times prove nothing.
    if (this.#parts.clock.now() < begun.since) return true;
    if (changeOf(`${begun.workspace.path}/home`) !== begun.homeChanged) return true;
    try {
      const { latest, isWhole } = await begun.workspace.size.measure();
      return !isWhole || latest >= begun.since - TICK_MS;
    } catch (error) {
      this.#parts.onError(error);
      return true;
    }
  }

  /** @param workingFolder only those of folders at this path, present and former */
  list(workingFolder?: string): readonly BoxInfo[] {
    return this.#of(workingFolder).map(({ path, size, running }) => ({
      workingFolder: size.record.path,
      path,
      bytes: size.record.bytes,
      isWhole: size.record.isWhole ?? true,
      maxBytes: this.#parts.maxBytes,
      usedAt: size.record.usedAt,
      running,
    }));
  }

  /** The same, measured now. */
  async look(workingFolder?: string): Promise<readonly BoxInfo[]> {
    for (const { size } of this.#of(workingFolder)) await size.measure();
    return this.list(workingFolder);
  }

  /**
   * Removes the private folders of a workspace.
   *
   * @returns the removed ones
   * @throws BulkheadError `busy` while a command runs with one; `tool_failed` if something stays
   */
  async reset(workingFolder: string): Promise<readonly BoxInfo[]> {
    const boxes = this.#of(workingFolder);
    const infos = this.list(workingFolder);
    const running = infos.reduce((sum, box) => sum + box.running, 0);
    if (running > 0) throw inUse(workingFolder, running);
    for (const { path, size } of boxes) {
      size.stop();
      this.#workspaces.delete(path.slice(path.lastIndexOf('/') + 1));
    }
    await this.#parts.sandbox.remove(boxes.map(({ path }) => path));
    return infos;
  }

  /** Removes the temporary folders of a deleted session. */
  async forget(sessionId: string): Promise<void> {
    if (!PLAIN_ID.test(sessionId)) return;
    for (const { informed } of this.#workspaces.values()) informed.delete(sessionId);
    await this.#remove((session) => session === sessionId);
  }

  /** At start: removes temporary folders that are unused, or whose session is gone. */
  async sweep(exists: (sessionId: string) => boolean): Promise<void> {
    const { clock } = this.#parts;
    await this.#remove((session, usedAt) => !exists(session) || clock.now() - usedAt > UNUSED_MS);
  }

  [Symbol.dispose](): void {
    for (const { size } of this.#workspaces.values()) size.stop();
  }

  async #remove(isUnneeded: (session: string, usedAt: number) => boolean): Promise<void> {
    try {
      const paths = entriesIn(this.#parts.folder).flatMap((id) => {
        const folder = `${this.#parts.folder}/${id}/tmp`;
        return entriesIn(folder)
          .map((session) => ({ session, path: `${folder}/${session}` }))
          .filter(({ session, path }) => isUnneeded(session, usedAt(path)))
          .map(({ path }) => path);
      });
      await this.#parts.sandbox.remove(paths);
    } catch (error) {
      this.#parts.onError(error);
    }
  }

  #forgetOldest(): void {
    for (const [id, { running }] of this.#begun) {
      if (this.#begun.size < MOST_BEGUN) return;
      if (running === undefined) this.#begun.delete(id);
    }
  }

  #of(workingFolder?: string): readonly Workspace[] {
    for (const id of entriesIn(this.#parts.folder)) {
      const record = readBoxRecord(`${this.#parts.folder}/${id}`);
      if (record !== undefined) this.#workspace(id, record);
    }
    const all = [...this.#workspaces.values()];
    return all.filter(({ size }) => workingFolder === undefined || size.record.path === workingFolder);
  }

  #workspace(id: string, place: { readonly path: string; readonly identity: string }): Workspace {
    const known = this.#workspaces.get(id);
    if (known !== undefined) return known;
    const path = `${this.#parts.folder}/${id}`;
    const { sandbox, clock, timers, onError } = this.#parts;
    const { path: workingFolder, identity } = place;
    const size = new BoxSize({ path, workingFolder, identity, sandbox, clock, timers, onError });
    const made = { path, size, running: 0, informed: new Set<string>() };
    this.#workspaces.set(id, made);
    return made;
  }
}

/** The kernel stamps files with the time of its last tick; with a margin. */
const TICK_MS = 50;

const KEPT =
  'what it wrote to its home or to /tmp is kept for later commands of this folder (/tmp: of this session); undo does not cover it, and `bulkhead box show` lists it';

function fullText(bytes: number, maxBytes: number): string {
  return `the private home of this folder takes ${mebibytes(bytes)} (box.maxBytes: ${mebibytes(maxBytes)}): it was read-only and /tmp was empty; \`bulkhead box reset\` removes its content`;
}

function mebibytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024 ** 2)} MiB`;
}

function inUse(workingFolder: string, running: number): BulkheadError {
  const commands = running === 1 ? 'a command runs' : `${running} commands run`;
  return new BulkheadError('busy', `${commands} with the private home of ${workingFolder}`, {
    fix: 'Wait for them, or stop them with `bulkhead processes stop`, and try again.',
  });
}
