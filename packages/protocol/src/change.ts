/** What happened to an object, or is to happen. `replaced`: another object has the name now. */
export type ChangeWhat = 'created' | 'changed' | 'metadata' | 'deleted' | 'replaced';

/** What an object is; `missing`: there is none any more. */
export type ChangedKind = 'file' | 'folder' | 'link' | 'other' | 'missing';

/** Why a change must not be, or must be allowed by a person first. */
export interface ChangeRefusal {
  readonly decision: 'block' | 'escalate';
  readonly rule: 'credentials' | 'executed-later' | 'mass-deletion';
  /** The rest of a sentence that begins with the path. */
  readonly reason: string;
}
