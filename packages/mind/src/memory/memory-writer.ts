import { createHash } from 'node:crypto';
import { Descriptor } from '@bulkhead/files';
import {
  type MemoryNote,
  type PlannedNote,
  type ProfileFiles,
  planEdit,
  planNote,
  planRemoval,
  writePlanned,
} from '@bulkhead/memory';
import type { FolderQueue } from '@bulkhead/processes/transactions/folder-queue';
import { BulkheadError, type Clock, type FileChange } from '@bulkhead/protocol';
import type { LineRecord, LineRecords } from './line-records.ts';
import { localDay } from './local-day.ts';

/** A note as a call gives it. */
export type NoteRequest = Omit<MemoryNote, 'date'>;

interface WriterParts {
  readonly files: ProfileFiles;
  readonly records: LineRecords;
  readonly queue: FolderQueue;
  readonly clock: Pick<Clock, 'now'>;
  /** Hears why nothing could be written. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** The one way anything is written to memory. One at a time, and never while something there is taken back. */
export class MemoryWriter {
  readonly #parts: WriterParts;

  constructor(parts: WriterParts) {
    this.#parts = parts;
  }

  /** Plans a note. Writes nothing. @throws BulkheadError `invalid_arguments`, `tool_failed` */
  plan(request: NoteRequest): PlannedNote {
    return planNote(this.#parts.files, { ...request, date: localDay(this.#parts.clock.now()) });
  }

  /**
   * Writes a note. Who wrote it is on the disk before it is.
   *
   * @param foreseen the only file it may change: what was there is kept for undoing; undefined: it may change none
   * @throws BulkheadError as `plan`, `store_failed`; then nothing was written
   */
  async write(
    request: NoteRequest,
    record: Omit<LineRecord, 'time'>,
    foreseen: string | undefined,
    signal: AbortSignal,
  ): Promise<PlannedNote> {
    const { records, queue, clock } = this.#parts;
    using _place = await queue.enter(this.#place(), signal);
    const planned = this.plan(request);
    if (planned.after === undefined) return planned;
    if (planned.path !== foreseen) {
      throw changedMeanwhile(planned.path);
    }
    const lines = planned.newHeading === undefined ? planned.added : [planned.newHeading, ...planned.added];
    this.#put(planned, () => records.put(lines, planned.path, { ...record, time: clock.now() }));
    return planned;
  }

  /**
   * Plans the removal of an action's lines; undefined if there are none. @param back the restored
   * line
   */
  planRemoval(action: string, back: string): PlannedNote | undefined {
    const { files, records } = this.#parts;
    // Others may stand under a heading by now: it stays.
    const isOfAction = (line: string): boolean =>
      !/^\s*#/u.test(line) && records.of(line).some((record) => record.action === action);
    return planRemoval(files, isOfAction, back);
  }

  /** Does it. @param foreseen the only file it may change @throws BulkheadError as `write` */
  async remove(action: string, back: string, foreseen: string, signal: AbortSignal): Promise<PlannedNote> {
    using _place = await this.#parts.queue.enter(this.#place(), signal);
    const planned = this.planRemoval(action, back);
    if (planned?.path !== foreseen) throw changedMeanwhile(foreseen);
    this.#put(planned);
    return planned;
  }

  /** Plans a person's own version of a whole file. @throws BulkheadError as `planEdit` */
  planEdit(path: string, text: string): PlannedNote {
    return planEdit(this.#parts.files, path, text);
  }

  /** Writes it. @param foreseen what was planned; @throws BulkheadError `tool_failed` if the file is another by now */
  async edit(
    foreseen: PlannedNote,
    text: string,
    record: Omit<LineRecord, 'time'>,
    signal: AbortSignal,
  ): Promise<PlannedNote> {
    const { records, queue, clock } = this.#parts;
    using _place = await queue.enter(this.#place(), signal);
    const planned = this.planEdit(foreseen.path, text);
    if (hashOf(planned) !== hashOf(foreseen)) throw changedMeanwhile(foreseen.path);
    this.#put(planned, () => records.put(planned.added, planned.path, { ...record, time: clock.now() }));
    return planned;
  }

  #put(planned: PlannedNote, noteWriter?: () => void): void {
    try {
      noteWriter?.();
      writePlanned(this.#parts.files, planned);
    } catch (error) {
      this.#parts.onError?.(error);
      throw error;
    }
  }

  #place() {
    const path = this.#parts.files.root;
    using folder = Descriptor.ofTrustedFolder(path);
    return { path, identity: folder.lastingId() };
  }
}

/** Of the file as it was when it was planned for; empty if it was not there. */
export function hashOf({ before }: PlannedNote): string {
  return before === undefined ? '' : sha256(before.bytes);
}

export function changedMeanwhile(path: string): BulkheadError {
  return new BulkheadError('tool_failed', `${path} changed since it was looked at: nothing was written`, {
    fix: 'Read it again, and do it to what is there now.',
  });
}

/** A planned note as the chronicle receives it. */
export function changesOf({ path, before, after }: PlannedNote): readonly FileChange[] {
  if (after === undefined) return [];
  return [{ path, before: before === undefined ? null : sha256(before.bytes), after: sha256(after) }];
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
