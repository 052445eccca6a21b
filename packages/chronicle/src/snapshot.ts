import * as z from 'zod';
import { type ObjectState, objectStateSchema } from './object-state.ts';

const id = z.string().regex(/^[0-9A-Za-z_-]{1,64}$/);

export const headerSchema = z.strictObject({
  /** Of the file: a reader refuses others. Version 1 knew no confirmed time. */
  version: z.literal([1, 2]),
  /** Of the action. */
  id,
  /** Snapshots were taken in this order. */
  order: z.int().min(1),
  kind: z.enum(['action', 'rollback']),
  /** `open`: what the action left was not seen yet. */
  state: z.enum(['open', 'done']),
  run: z.string().max(64),
  session: z.string().max(64),
  tool: z.string().max(256),
  /** For people: the command, if it was one. */
  about: z.string().max(256),
  /** Milliseconds since 1970, as the wall clock said. */
  time: z.number(),
  /** Confirmed time at which it was taken, in milliseconds. */
  confirmed: z.number().min(0).optional(),
  folder: z.strictObject({ path: z.string(), identity: z.string() }),
  /** Snapshots that a rollback took back. */
  undoes: z.array(id),
  /** True if what the action left was only seen after a restart: what others did meanwhile can't be told from it. */
  late: z.boolean(),
});

/** What is known in advance of how an object will be left: enough to know it again after a crash. */
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
  /** True for a folder around what was named: only its time changes. */
  around: z.literal(true).optional(),
});

export type SnapshotHeader = z.output<typeof headerSchema>;
export type Expected = z.output<typeof expectedSchema>;
export type SnapshotChange = z.output<typeof changeSchema>;

/** What was there before one action, and what it left. */
export interface Snapshot extends SnapshotHeader {
  readonly changes: readonly SnapshotChange[];
}

/** Blobs that a list of changes needs to be taken back. */
export function hashesOf(changes: readonly { readonly before: ObjectState }[]): string[] {
  return changes.flatMap(({ before }) => (before.kind === 'file' ? [before.hash] : []));
}
