import * as z from 'zod';
import { type ObjectState, objectStateSchema, sameContent, sameState } from './object-state.ts';

const id = z.string().regex(/^[0-9A-Za-z_-]{1,64}$/);

export const headerSchema = z.strictObject({
  /**
   * Version of the file: a reader refuses others. Version 1 had no confirmed time, version 2 counted no
   * losses.
   */
  version: z.literal([1, 2, 3]),
  /** Of the action. */
  id,
  /** Snapshots were taken in this order. */
  order: z.int().min(1),
  kind: z.enum(['action', 'rollback']),
  /** `open`: the state after the action was not observed yet. */
  state: z.enum(['open', 'done']),
  run: z.string().max(64),
  session: z.string().max(64),
  tool: z.string().max(256),
  /** For people: the command, if any. */
  about: z.string().max(256),
  /** Wall clock time, milliseconds since 1970. */
  time: z.number(),
  /** Confirmed time at which it was taken, in milliseconds. */
  confirmed: z.number().min(0).optional(),
  folder: z.strictObject({ path: z.string(), identity: z.string() }),
  /** Snapshots that a rollback undid. */
  undoes: z.array(id),
  /**
   * True if the state after the action was only observed after a restart: it may include others'
   * changes.
   */
  late: z.boolean(),
  /** True if the action was a command: what it made is its own. */
  command: z.literal(true).optional(),
  /** Contents that were lost by it, as far as the folder goes. */
  lost: z.int().min(1).optional(),
  /** True if a person was asked about what is lost, and allowed it. */
  allowed: z.literal(true).optional(),
});

/** Expected properties of an object after the action: enough to recognize it after a crash. */
const expectedSchema = z.strictObject({
  kind: z.enum(['missing', 'file', 'folder', 'link', 'other']),
  hash: z.string().optional(),
  size: z.number().optional(),
});

export const changeSchema = z.strictObject({
  /** Relative to the folder, as `pathText` writes it; `.` is the folder itself. */
  path: z.string().min(1),
  before: objectStateSchema,
  after: objectStateSchema.optional(),
  expected: expectedSchema.optional(),
  /** True for a folder around a named object: only its time changes. */
  around: z.literal(true).optional(),
});

export type SnapshotHeader = z.output<typeof headerSchema>;
export type Expected = z.output<typeof expectedSchema>;
export type SnapshotChange = z.output<typeof changeSchema>;

/** The state before one action, and after it. */
export interface Snapshot extends SnapshotHeader {
  readonly changes: readonly SnapshotChange[];
}

/** Returns the blobs needed to undo a list of changes. */
export function hashesOf(changes: readonly { readonly before: ObjectState }[]): string[] {
  return changes.flatMap(({ before }) => (before.kind === 'file' ? [before.hash] : []));
}

/** True if an action left an object as it was. */
export function isUntouched({ before, after, around }: SnapshotChange): boolean {
  if (after === undefined) return false;
  return around === true ? sameContent(before, after) : sameState(before, after);
}
