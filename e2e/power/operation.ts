/** One object of a disk, for as long as it exists: a number of an inode is given again, this never. */
export type ObjectId = number;

/** A name in a folder. */
export interface Entry {
  readonly folder: ObjectId;
  readonly name: string;
}

/** Of the file system's clock. */
export interface Moment {
  readonly seconds: number;
  readonly nanoseconds: number;
}

export type ObjectType = 'file' | 'folder' | 'link' | 'socket' | 'other';

/** Properties of a new object. */
export interface Birth {
  readonly type: ObjectType;
  /** Of its inode. */
  readonly number: number;
  readonly mode: number;
  readonly born: Moment;
  readonly changed: Moment;
  /** Of a symbolic link. */
  readonly target: string;
}

/** Times of the monotonic clock, nanoseconds, between which a call was under way. */
interface Span {
  readonly begun: number;
  readonly ended: number;
}

/**
 * Change of the disk by one call of one process. Operations are kept in the order in which they
 * ended.
 */
export type Operation = Span &
  (
    | {
        readonly kind: 'make';
        readonly object: ObjectId;
        readonly birth: Birth;
        readonly at: Entry | undefined;
      }
    | {
        readonly kind: 'write';
        readonly object: ObjectId;
        readonly offset: number;
        readonly bytes: Uint8Array;
        readonly changed: Moment;
      }
    | {
        readonly kind: 'resize';
        readonly object: ObjectId;
        readonly size: number;
        readonly changed: Moment;
      }
    | { readonly kind: 'rename'; readonly from: Entry; readonly to: Entry; readonly isExchange: boolean }
    | { readonly kind: 'link'; readonly object: ObjectId; readonly at: Entry }
    | { readonly kind: 'remove'; readonly at: Entry }
    | {
        readonly kind: 'attributes';
        readonly object: ObjectId;
        readonly mode: number;
        readonly changed: Moment;
      }
    | { readonly kind: 'flush'; readonly object: ObjectId }
    | { readonly kind: 'flush-all' }
  );

/** A file's content. It may stay behind what the disk knows of names. */
export type DataOperation = Extract<Operation, { kind: 'write' | 'resize' }>;

export function isData(operation: Operation): operation is DataOperation {
  return operation.kind === 'write' || operation.kind === 'resize';
}

export function isFlush(
  operation: Operation,
): operation is Extract<Operation, { kind: 'flush' | 'flush-all' }> {
  return operation.kind === 'flush' || operation.kind === 'flush-all';
}
