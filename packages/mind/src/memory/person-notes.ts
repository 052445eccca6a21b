import { buildAction } from '@bulkhead/actions/pipeline/canonical-action';
import type { SnapshotStage } from '@bulkhead/actions/pipeline/stages';
import type { AuditSink } from '@bulkhead/audit';
import type { PlannedNote } from '@bulkhead/memory';
import { type Action, type Clock, describeError, type IdSource } from '@bulkhead/protocol';
import type { Label } from '@bulkhead/shield';
import { memoryWriteTool } from '@bulkhead/tools';
import {
  changedMeanwhile,
  changesOf,
  hashOf,
  type MemoryWriter,
  type NoteRequest,
  sha256,
} from './memory-writer.ts';

/** The outcome of a person's note. */
export interface WrittenNote {
  readonly planned: PlannedNote;
  /** By which it can be taken back; empty if nothing was written. */
  readonly action: string;
}

interface NotesParts {
  readonly writer: MemoryWriter;
  readonly snapshots: SnapshotStage;
  readonly audit: AuditSink;
  readonly ids: IdSource;
  readonly clock: Pick<Clock, 'now'>;
  /** The profile's folder. */
  readonly folder: string;
}

/**
 * A person's writes to memory: not judged, but actions all the same, recorded in the audit log
 * before their effect, with a snapshot of the earlier state.
 */
export class PersonNotes {
  readonly #parts: NotesParts;

  constructor(parts: NotesParts) {
    this.#parts = parts;
  }

  /**
   * @param label what the text is made of carries; that of the person's own words if undefined
   * @throws BulkheadError `invalid_arguments`, `tool_failed`, `audit_failed`, `store_failed`: then nothing was written
   */
  async write(request: NoteRequest, label: Label | undefined, signal: AbortSignal): Promise<WrittenNote> {
    const { writer } = this.#parts;
    const action = this.#action(request);
    const planned = writer.plan(request);
    if (planned.after === undefined) return { planned, action: '' };
    const own = label ?? ({ secrecy: 'internal', trust: 'user' } as const);
    const record = { author: 'person' as const, session: '', action: action.id, label: own };
    const done = await this.#recorded(action, planned, () =>
      writer.write(request, record, planned.path, signal),
    );
    return { planned: done, action: action.id };
  }

  /**
   * Puts a person's own version in the place of a whole file.
   *
   * @param seen SHA-256 of the file as they saw it, hex: a later version is not written over
   * @throws BulkheadError as `write`, `not_found`
   */
  async rewrite(path: string, text: string, seen: string, signal: AbortSignal): Promise<WrittenNote> {
    const { writer } = this.#parts;
    const planned = writer.planEdit(path, text);
    if (hashOf(planned) !== seen) throw changedMeanwhile(path);
    if (planned.after === undefined) return { planned, action: '' };
    const words = `all of ${path}, as a person rewrote it: SHA-256 ${sha256(planned.after)}`;
    const action = this.#action({ text: words, target: 'memory', heading: '', replaces: '' });
    const label = { secrecy: 'internal', trust: 'user' } as const;
    const record = { author: 'person' as const, session: '', action: action.id, label };
    const done = await this.#recorded(action, planned, () => writer.edit(planned, text, record, signal));
    return { planned: done, action: action.id };
  }

  /** Takes out of memory what an action wrote there, wherever it stands by now. @returns what was done, undefined if nothing is left of it */
  async takeOut(written: string, back: string, signal: AbortSignal): Promise<WrittenNote | undefined> {
    const { writer } = this.#parts;
    const planned = writer.planRemoval(written, back);
    if (planned === undefined) return undefined;
    const action = this.#action({
      text: planned.removed ?? back,
      target: 'memory',
      heading: '',
      replaces: '',
    });
    const done = await this.#recorded(action, planned, () =>
      writer.remove(written, back, planned.path, signal),
    );
    return { planned: done, action: action.id };
  }

  #action({ text, target, heading, replaces }: NoteRequest): Action {
    const { ids, clock, folder } = this.#parts;
    const id = ids();
    const given = {
      text,
      ...(heading === '' ? {} : { heading }),
      ...(replaces === '' ? {} : { replaces }),
    };
    const proposal = {
      sessionId: '',
      runId: id,
      callId: '',
      tool: memoryWriteTool.name,
      loaded: true,
      argumentsJson: '',
      workingFolder: folder,
    };
    const parsed = memoryWriteTool.parse(given);
    // A person may write where no tool does.
    const call = { ...parsed, arguments: { ...parsed.arguments, file: target } };
    return buildAction(proposal, memoryWriteTool, call, { id, time: clock.now() });
  }

  async #recorded(
    action: Action,
    planned: PlannedNote,
    act: () => Promise<PlannedNote>,
  ): Promise<PlannedNote> {
    const { audit, snapshots, folder } = this.#parts;
    const { id, hash, tool } = action;
    const entry = { action: id, hash, session: '', tool };
    const details = { by: 'person', path: planned.path };
    await audit.append([{ ...entry, step: 'STARTED', details }]);
    try {
      await snapshots.take(action, changesOf(planned), folder);
      const done = await act();
      await audit.append([{ ...entry, step: 'EXECUTED', details }]);
      return done;
    } catch (error) {
      await audit.append([{ ...entry, step: 'FAILED', details: { reason: describeError(error) } }]);
      throw error;
    } finally {
      await snapshots.finish(action);
    }
  }
}
