import type { RecordRow } from '../record-row.ts';
import type { EntryPlace } from '../session-store.ts';

/** A store's data for walks of the tree. All but `origin` use the session's own log only. */
export interface TreeSource {
  origin(sessionId: string): EntryPlace | null;
  row(sessionId: string, entry: string): RecordRow | undefined;
  /** As `row`, but only its place: cheaper. */
  link(sessionId: string, entry: string): EntryLink | undefined;
  /** The places of all entries, in order. */
  links(sessionId: string): readonly (EntryLink & { readonly id: string })[];
  /** Entries of type `label`, in order. */
  labelMarks(sessionId: string): readonly RecordRow[];
}

export interface EntryLink {
  readonly pos: number;
  readonly parent: string | null;
  readonly type: string;
}
