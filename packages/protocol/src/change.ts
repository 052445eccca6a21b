/** An actual or planned change of an object. `replaced`: another object has the name now. */
export type ChangeWhat = 'created' | 'changed' | 'metadata' | 'deleted' | 'replaced';

/** Kind of an object; `missing`: it no longer exists. */
export type ChangedKind = 'file' | 'folder' | 'link' | 'other' | 'missing';

/** Why a change is forbidden, or needs approval. */
export interface ChangeRefusal {
  readonly decision: 'block' | 'escalate';
  readonly rule: 'credentials' | 'executed-later' | 'mass-deletion';
  /** The rest of a sentence that begins with the path. */
  readonly reason: string;
}
