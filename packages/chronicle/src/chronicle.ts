import { mkdirSync } from 'node:fs';
import type { Descriptor } from '@bulkhead/files';
import { BulkheadError } from '@bulkhead/protocol';
import type { ChronicleStep } from './chronicle-step.ts';
import { lateState } from './late-state.ts';
import { lookAtObject } from './look-at-object.ts';
import { MadeFiles, type MadePlace } from './made-files.ts';
import { sameContent } from './object-state.ts';
import { namesOf, namesOfText, textOf } from './path-names.ts';
import { type NamedPath, type PreImage, preImages } from './pre-image.ts';
import { DAY_MS, expired, type Retention, takenAt } from './retention.ts';
import {
  hashesOf,
  isUntouched,
  type Snapshot,
  type SnapshotChange,
  type SnapshotHeader,
} from './snapshot.ts';
import { BlobStore } from './store/blob-store.ts';
import { hashOnly } from './store/copy-content.ts';
import { type DamagedFile, SnapshotFiles } from './store/snapshot-files.ts';
import { fullDisk, openFolder } from './system-errors.ts';

export interface ChronicleOptions {
  /** Created if missing; no one else may write to it. */
  readonly folder: string;
  readonly retention: Retention;
  /** Milliseconds since 1970: for display only. */
  now(): number;
  /** Monotonic milliseconds that certainly passed: only they make a snapshot expire [FT83]. */
  confirmed(): number;
  /** Called between steps that a crash could separate: tests crash there. */
  onStep?(step: ChronicleStep): void;
}

/** The snapshot's owner, and the objects about to change. */
export interface SnapshotRequest {
  /** Of the action. */
  readonly id: string;
  readonly run: string;
  readonly session: string;
  readonly tool: string;
  readonly about: string;
  /** Absolute, without links in it. */
  readonly folder: string;
  readonly paths: readonly NamedPath[];
  /** Snapshots that it undoes, if it is a rollback. */
  readonly undoes?: readonly string[];
  readonly isCommand?: boolean;
  /** The number of contents that it loses, and whether a person allowed that loss. */
  readonly lost?: { readonly count: number; readonly isAllowed: boolean };
}

/** A snapshot's metadata, without its objects. */
export interface SnapshotEntry extends SnapshotHeader {
  /** Objects whose content, mode or existence differ; of an open one, all. */
  readonly changed: number;
}

/** Share of a limit beyond which snapshots go next. */
const SOON = 0.9;

interface DamagedSnapshot extends DamagedFile {
  readonly problem: string;
  /** Confirmed time when the damage was first found. */
  readonly since: number;
}

/**
 * Keeps the state before each action until it expires [U2]. A snapshot is complete when it and all
 * its contents are on the disk; only then may the action start.
 */
export class Chronicle {
  readonly blobs: BlobStore;
  readonly #files: SnapshotFiles;
  readonly #options: ChronicleOptions;
  readonly #entries = new Map<string, SnapshotEntry & { readonly hashes: readonly string[] }>();
  /**
   * Unusable snapshots: reported, and their remaining contents are kept until they expire, for
   * manual recovery.
   */
  readonly #damaged = new Map<string, DamagedSnapshot>();
  readonly #made = new MadeFiles();
  #order = 0;

  private constructor(options: ChronicleOptions) {
    this.#options = options;
    this.blobs = new BlobStore(`${options.folder}/blobs`);
    this.#files = new SnapshotFiles(`${options.folder}/snapshots`);
  }

  /** Reads existing snapshots, and removes expired ones and remains of a crash. */
  static open(options: ChronicleOptions): Chronicle {
    for (const name of ['blobs', 'snapshots', 'rollbacks']) {
      mkdirSync(`${options.folder}/${name}`, { recursive: true, mode: 0o700 });
    }
    const chronicle = new Chronicle(options);
    chronicle.#load();
    return chronicle;
  }

  /**
   * Keeps the current state of the objects that an action will change.
   *
   * @throws BulkheadError `tool_failed`, `store_failed` if the disk is full, and the system's
   * errors: then change nothing
   */
  async take(request: SnapshotRequest): Promise<Snapshot> {
    if (this.#entries.has(request.id)) {
      throw new BulkheadError('internal', `there is a snapshot of ${request.id} already`);
    }
    using root = openFolder(request.folder);
    const held: string[] = [];
    const keep = async (file: Descriptor) => {
      const copied = await this.blobs.keep(file);
      held.push(copied.hash);
      return copied;
    };
    try {
      this.#step('taking');
      const images = await preImages(root, request.paths, keep);
      const contents = this.blobs.flushNames(held).then(() => this.#step('contents-kept'));
      const snapshot = this.#opened(request, root.lastingId(), images);
      await this.#put(snapshot, contents);
      this.#step('taken');
      return snapshot;
    } catch (error) {
      throw fullDisk(error, this.#options.folder) ?? error;
    } finally {
      // The snapshot itself now holds its contents.
      this.blobs.release(held);
    }
  }

  /**
   * Records the state after the action. Deletes the snapshot if nothing differs.
   *
   * @param late true after a restart: differences may come from someone else
   * @returns undefined if nothing differs
   */
  async finish(id: string, late = false): Promise<SnapshotEntry | undefined> {
    const snapshot = this.read(id);
    if (snapshot.state === 'done') return this.#entries.get(id);
    using root = openFolder(snapshot.folder.path);
    const isHere = root.isKnownAs(snapshot.folder.identity);
    const changes: SnapshotChange[] = [];
    for (const change of isHere ? snapshot.changes : []) {
      const { state } = await lookAtObject(root, namesOfText(change.path), hashOnly);
      const after = late ? lateState(change, state) : state;
      changes.push({ ...change, ...(after === undefined ? {} : { after }) });
    }
    if (isHere && changes.every(isUntouched)) {
      this.drop(id);
      return undefined;
    }
    if (isHere) this.#made.note(snapshot, changes);
    await this.#put({ ...snapshot, state: 'done', late, changes: isHere ? changes : snapshot.changes });
    this.#expire();
    return this.#entries.get(id);
  }

  /** Deletes a snapshot. */
  drop(id: string): void {
    const entry = this.#entries.get(id);
    this.#files.remove(id);
    this.#entries.delete(id);
    this.blobs.release(entry?.hashes ?? []);
  }

  /** @throws BulkheadError `not_found`, `store_corrupt` */
  read(id: string): Snapshot {
    return this.#files.read(id);
  }

  has(id: string): boolean {
    return this.#entries.has(id);
  }

  /** Contents that actions of a run lost, since a person last allowed a loss. */
  lostIn(run: string): number {
    const entries = this.#newestFirst().filter((entry) => entry.run === run);
    const asked = entries.findIndex(({ allowed }) => allowed === true);
    return entries.slice(0, asked < 0 ? undefined : asked).reduce((sum, { lost = 0 }) => sum + lost, 0);
  }

  /** True for a file that commands of a session made and last wrote, with the content of that hash. */
  isMade(place: MadePlace, path: Uint8Array, hash: string): boolean {
    return this.#made.has(place, textOf(namesOf(path)), hash);
  }

  /** Newest first. */
  list(): readonly SnapshotEntry[] {
    return this.#newestFirst().map(({ hashes: _, ...entry }) => entry);
  }

  #newestFirst() {
    return [...this.#entries.values()].sort((a, b) => b.order - a.order);
  }

  /** Ids of the snapshots that go first once a limit is reached: those beyond nine tenths of each. */
  goingNext(): ReadonlySet<string> {
    const { snapshots, days, maxBytes } = this.#options.retention;
    const share = { snapshots: snapshots * SOON, days: days * SOON, maxBytes: maxBytes * SOON };
    return new Set(
      expired(this.#newestFirst(), share, (hash) => this.blobs.bytesOf(hash), this.#options.confirmed()),
    );
  }

  /** Returns unreadable snapshots, by id. */
  damaged(): ReadonlyMap<string, string> {
    return new Map([...this.#damaged].map(([id, { problem }]) => [id, problem]));
  }

  #opened(request: SnapshotRequest, identity: string, images: readonly PreImage[]): Snapshot {
    const { id, run, session, tool, about, folder, undoes = [], isCommand, lost } = request;
    this.#order += 1;
    return {
      version: 3,
      id,
      order: this.#order,
      kind: undoes.length > 0 ? 'rollback' : 'action',
      state: 'open',
      run,
      session,
      tool,
      about: about.slice(0, 256),
      time: this.#options.now(),
      confirmed: this.#options.confirmed(),
      folder: { path: folder, identity },
      undoes: [...undoes],
      late: false,
      ...(isCommand === true ? { command: true } : {}),
      ...(lost === undefined || lost.count === 0 ? {} : { lost: lost.count }),
      ...(lost?.isAllowed === true ? { allowed: true } : {}),
      changes: images.map(({ text, state, expected, around }) => ({
        path: text,
        before: state,
        ...(expected === undefined ? {} : { expected }),
        ...(around === undefined ? {} : { around }),
      })),
    };
  }

  async #put(snapshot: Snapshot, contents?: Promise<void>): Promise<void> {
    await this.#files.put(snapshot, contents);
    this.#index(snapshot);
  }

  #index({ changes, ...header }: Snapshot): void {
    const hashes = hashesOf(changes);
    const before = this.#entries.get(header.id)?.hashes ?? [];
    this.blobs.hold(hashes);
    this.blobs.release(before);
    const changed = changes.filter(({ before, after }) => after === undefined || !sameContent(before, after));
    this.#entries.set(header.id, { ...header, changed: changed.length, hashes });
    this.#order = Math.max(this.#order, header.order);
  }

  #load(): void {
    for (const id of this.#files.ids()) {
      try {
        this.#index(this.read(id));
      } catch (error) {
        this.#setAside(id, BulkheadError.from(error).message);
      }
    }
    // A snapshot with unreadable text blocks the sweep until it expires.
    if ([...this.#damaged.values()].every(({ hashes }) => hashes !== undefined)) this.blobs.sweep();
    this.#expire();
  }

  #setAside(id: string, problem: string): void {
    const remains = this.#files.remains(id);
    this.blobs.hold(remains.hashes ?? []);
    const since = this.#files.damagedSince(id, this.#options.confirmed());
    this.#damaged.set(id, { problem, since, ...remains });
  }

  #expire(): void {
    const { retention, confirmed } = this.#options;
    const now = confirmed();
    const isOld = (since: number): boolean => now - since > retention.days * DAY_MS;
    for (const [id, { hashes, since }] of this.#damaged) {
      if (!isOld(since) && this.blobs.bytes <= retention.maxBytes) continue;
      this.#files.remove(id);
      this.#damaged.delete(id);
      this.blobs.release(hashes ?? []);
    }
    const newestFirst = this.#newestFirst();
    const isAnyOld = newestFirst.some((entry) => isOld(takenAt(entry)));
    // Within any limit that could be reached, nothing is counted.
    if (!isAnyOld && newestFirst.length <= retention.snapshots && this.blobs.bytes <= retention.maxBytes)
      return;
    for (const id of expired(newestFirst, retention, (hash) => this.blobs.bytesOf(hash), now)) this.drop(id);
  }

  #step(step: ChronicleStep): void {
    this.#options.onStep?.(step);
  }
}
