import { observedFate } from '@bulkhead/actions/testing';
import { OpenActions } from '@bulkhead/log/testing';
import { type NewLogRecord, parseLogRecord } from '@bulkhead/protocol/records';
import { recordedFate } from '@bulkhead/runtime/testing';

type ReadRecord = Parameters<OpenActions['read']>[0];

/** The log of a session's actions: it survives an engine, and recovery reads it. */
export class ActionLog {
  readonly #records: ReadRecord[] = [];

  record(record: NewLogRecord): void {
    const pos = this.#records.length + 1;
    const nothing = { entry: null, parent: null, messageId: null, seq: null, turn: '', time: 0, version: 2 };
    const stored = { type: record.type, version: 2, entry: null };
    const read = parseLogRecord(stored, JSON.stringify(record.body));
    this.#records.push({ ...nothing, sessionId: 's', pos, ...read });
  }

  /**
   * Closes actions that a crash left open, as recovery does: by the records, then by the file.
   *
   * @param file present hash of `a`
   * @returns the number of repeated calls, and fingerprints of possible effects
   */
  recover(file: string): { readonly again: number; readonly doubtful: ReadonlySet<string> } {
    let again = 0;
    for (const open of this.#read().open) {
      const states = [{ path: 'a', hash: file }];
      const fate = recordedFate(open, undefined) ?? observedFate(open.intent?.changes ?? [], states);
      if (fate !== 'executed') again += 1;
      const { action, call, hash } = open;
      const body = { action, call, hash, success: fate === 'executed', summary: '', fate };
      this.record({ type: 'action_completed', body });
    }
    return { again, doubtful: this.#read().doubtful };
  }

  #read(): OpenActions {
    const actions = new OpenActions();
    for (const record of this.#records) actions.read(record);
    return actions;
  }
}
