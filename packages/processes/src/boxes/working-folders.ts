import { realpathSync } from 'node:fs';
import { Descriptor } from '@bulkhead/files';
import { noteRecord } from '@bulkhead/log/session/record-codec';
import { BulkheadError } from '@bulkhead/protocol';
import type { NewRecord, SessionStore, StoredRecord } from '@bulkhead/sessions';

/**
 * Remembers the identity of each session's folder, not only its name. Another session's command can
 * redirect a name; then nothing of this session may start there.
 */
export class WorkingFolders {
  readonly #store: SessionStore;

  constructor(store: SessionStore) {
    this.#store = store;
  }

  /** @returns the record for the start of a session of `folder` */
  note(folder: string, time: number): NewRecord {
    using object = Descriptor.ofTrustedFolder(folder);
    return noteRecord(time, '', { type: 'working_folder', body: { identity: object.lastingId() } });
  }

  /** @returns the record for a session that works in another session's folder */
  noteOf(sessionId: string, time: number): NewRecord {
    const [first] = this.#store.records(sessionId, { pos: 0 }, 1);
    return noteRecord(time, '', { type: 'working_folder', body: { identity: identityIn(first) } });
  }

  /**
   * @throws BulkheadError `blocked` unless the session's folder is still the same object at the
   *   same place, and no link
   */
  check(sessionId: string, folder: string): void {
    const [first] = this.#store.records(sessionId, { pos: 0 }, 1);
    const known = identityIn(first);
    if (known !== undefined && isStillThere(folder, known)) return;
    throw new BulkheadError('blocked', `${folder} is not the folder this session was started in any more`, {
      fix: 'Put it back, or start a new session.',
    });
  }
}

/** @param first record of a session: identifies its working folder */
function identityIn(first: StoredRecord | undefined): string | undefined {
  return first?.type === 'working_folder' ? first.body.identity : undefined;
}

function isStillThere(folder: string, identity: string): boolean {
  try {
    using object = Descriptor.ofTrustedFolder(folder);
    return realpathSync(folder) === folder && object.isKnownAs(identity);
  } catch {
    return false;
  }
}
