import { hash } from 'node:crypto';
import { fromBase64, type TreeHash, toBase64 } from '../merkle/tree-hash.ts';

/**
 * The signed statement: the log's first `size` entries are the leaves of the tree with this root.
 */
export interface Checkpoint {
  /** Name of the log: `bulkhead-audit/` and the start of the hash of its key. */
  readonly origin: string;
  readonly size: number;
  readonly root: TreeHash;
  /** RFC 3339, UTC; by the engine's clock. */
  readonly time: string;
  /**
   * SHA-256 of the previous signed checkpoint, so that one signature covers all earlier ones; zeros
   * for the first.
   */
  readonly previous: TreeHash;
  /** The key for later checkpoints; this one is then signed by both keys. */
  readonly change?: KeyChange;
}

/** A change of keys, both in the format of C2SP signed-note. */
export interface KeyChange {
  readonly from: string;
  readonly to: string;
}

/** A checkpoint as stored and given to witnesses: a signed note. */
export interface SignedCheckpoint extends Checkpoint {
  /** The signed text, with its last line break. */
  readonly body: string;
  /** From the note's last lines: one, or one of each key where the key changes. */
  readonly signatures: readonly string[];
  readonly note: string;
}

export const NO_CHECKPOINT: TreeHash = '\0'.repeat(32);

/** Longest note. */
const MAX_NOTE_CHARACTERS = 1024;

/**
 * A signed note is text, an empty line, and lines of signatures, each an em dash, a name and base64
 * (C2SP signed-note); the text of a checkpoint is origin, size, root and lines of one's own (C2SP
 * tlog-checkpoint).
 */
const NOTE = new RegExp(
  '^(?<body>(?<origin>[!-*,-~]{1,128})\\n(?<size>0|[1-9][0-9]{0,15})\\n(?<root>[A-Za-z0-9+/]{43}=)\\n' +
    'time (?<time>[0-9TZ:.-]{20,32})\\nprevious (?<previous>[A-Za-z0-9+/]{43}=)\\n' +
    '(?:key-from (?<from>[!-~]{1,192})\\nkey-to (?<to>[!-~]{1,192})\\n)?)' +
    '\\n— (?<name>[!-*,-~]{1,128}) (?<signature>[A-Za-z0-9+/]{91}=)\\n' +
    '(?:— (?<name2>[!-*,-~]{1,128}) (?<signature2>[A-Za-z0-9+/]{91}=)\\n)?$',
);

/** The text to be signed. */
export function checkpointBody({ origin, size, root, time, previous, change }: Checkpoint): string {
  const keys = change === undefined ? '' : `key-from ${change.from}\nkey-to ${change.to}\n`;
  return `${origin}\n${size}\n${toBase64(root)}\ntime ${time}\nprevious ${toBase64(previous)}\n${keys}`;
}

/** A note of a text and its signatures, base64. */
export function noteText(body: string, origin: string, signatures: readonly string[]): string {
  return `${body}\n${signatures.map((signature) => `— ${origin} ${signature}\n`).join('')}`;
}

/**
 * @returns undefined if it is not a valid checkpoint of this log; the signatures are not checked
 */
export function parseCheckpoint(note: string): SignedCheckpoint | undefined {
  if (note.length > MAX_NOTE_CHARACTERS) return undefined;
  const groups = NOTE.exec(note)?.groups;
  if (groups === undefined) return undefined;
  const { body = '', origin = '', size, root = '', time = '', previous = '', from, to } = groups;
  const change = from === undefined || to === undefined ? undefined : { from, to };
  const rootHash = fromBase64(root);
  const previousHash = fromBase64(previous);
  const signatures = signaturesOf(groups, change === undefined ? 1 : 2);
  if (rootHash === undefined || previousHash === undefined || signatures === undefined) return undefined;
  const parsed = { origin, size: Number(size), root: rootHash, time, previous: previousHash };
  return { ...parsed, ...(change && { change }), body, signatures, note };
}

/** @returns undefined unless there are exactly as many, all in the name of the log */
function signaturesOf(
  { origin, name, name2, signature, signature2 }: Readonly<Record<string, string | undefined>>,
  count: 1 | 2,
): readonly string[] | undefined {
  const found = [name, name2].filter((each) => each !== undefined);
  if (found.length !== count || found.some((each) => each !== origin)) return undefined;
  return [signature, signature2].filter((each) => each !== undefined);
}

/** The value of `previous` in the next checkpoint. */
export function checkpointHash(note: string): TreeHash {
  return hash('sha256', note, 'binary');
}
