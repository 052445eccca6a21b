import * as z from 'zod';

const mode = z.int().min(0).max(0o7777);
/** Nanoseconds since 1970, as text: more digits than a JSON number holds. */
const time = z.string().regex(/^-?\d{1,20}$/);
/** `UID:GID`. Only root can give it back; absent for other users, and in earlier snapshots. */
const owner = z
  .string()
  .regex(/^\d{1,10}:\d{1,10}$/)
  .optional();

export const objectStateSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('missing') }),
  z.strictObject({
    kind: z.literal('file'),
    mode,
    time,
    owner,
    size: z.int().min(0),
    /** SHA-256 of the content, hex: the name of its blob. */
    hash: z.string().regex(/^[0-9a-f]{64}$/),
  }),
  z.strictObject({ kind: z.literal('folder'), mode, time, owner }),
  /** `target` as `pathText` writes it. */
  z.strictObject({ kind: z.literal('link'), time, owner, target: z.string() }),
  /** A pipe, socket or device: its existence is recorded, but it can't be restored. */
  z.strictObject({ kind: z.literal('other'), mode, time }),
]);

/** The state of an object, or its absence. */
export type ObjectState = z.output<typeof objectStateSchema>;

export const MISSING: ObjectState = { kind: 'missing' };

/**
 * True if users of the object see no difference: kind, content, mode, owner, link target. Times don't
 * count, since touching is no edit; a folder's content are the objects in it.
 */
export function sameContent(a: ObjectState, b: ObjectState): boolean {
  switch (a.kind) {
    case 'missing':
      return b.kind === 'missing';
    case 'file':
      return b.kind === 'file' && a.hash === b.hash && a.mode === b.mode && sameOwner(a, b);
    case 'folder':
      return b.kind === 'folder' && a.mode === b.mode && sameOwner(a, b);
    case 'link':
      return b.kind === 'link' && a.target === b.target && sameOwner(a, b);
    case 'other':
      return b.kind === 'other' && a.time === b.time;
  }
}

interface Owned {
  readonly owner?: string | undefined;
}

/** True unless both owners are known and differ. */
export function sameOwner(a: Owned, b: Owned): boolean {
  return a.owner === undefined || b.owner === undefined || a.owner === b.owner;
}

/** As `sameContent`, and the times are equal to the microsecond, which is what Node can set. */
export function sameState(a: ObjectState, b: ObjectState): boolean {
  return sameContent(a, b) && sameTime(a, b);
}

export function sameTime(a: ObjectState, b: ObjectState): boolean {
  if (a.kind === 'missing' || b.kind === 'missing') return a.kind === b.kind;
  return microseconds(a.time) === microseconds(b.time);
}

function microseconds(nanoseconds: string): bigint {
  return BigInt(nanoseconds) / 1_000n;
}
