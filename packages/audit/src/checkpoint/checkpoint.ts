import { hash } from 'node:crypto';
import { fromBase64, type TreeHash, toBase64 } from '../merkle/tree-hash.ts';

/** What a signature says of the log: its first `size` entries are the leaves of the tree with this root. */
export interface Checkpoint {
  /** Name of the log: `bulkhead-audit/` and the start of the hash of its key. */
  readonly origin: string;
  readonly size: number;
  readonly root: TreeHash;
  /** RFC 3339, UTC; by the engine's clock. */
  readonly time: string;
  /** SHA-256 of the signed checkpoint before it, so that one signature answers for all of them; zeros for the first. */
  readonly previous: TreeHash;
}

/** A checkpoint as it is kept and given to witnesses: a signed note. */
export interface SignedCheckpoint extends Checkpoint {
  /** The text under the signature, with its last line break. */
  readonly body: string;
  /** Name and signature, as in the note's last line. */
  readonly signature: string;
  readonly note: string;
}

export const NO_CHECKPOINT: TreeHash = '\0'.repeat(32);

/** No note is longer. */
const MAX_NOTE_CHARACTERS = 1024;

/**
 * A signed note is text, an empty line, and lines of signatures, each an em dash, a name and base64 (C2SP
 * signed-note); the text of a checkpoint is origin, size, root and lines of one's own (C2SP tlog-checkpoint).
 */
const NOTE = new RegExp(
  '^(?<body>(?<origin>[!-*,-~]{1,128})\\n(?<size>0|[1-9][0-9]{0,15})\\n(?<root>[A-Za-z0-9+/]{43}=)\\n' +
    'time (?<time>[0-9TZ:.-]{20,32})\\nprevious (?<previous>[A-Za-z0-9+/]{43}=)\\n)' +
    '\\n— (?<name>[!-*,-~]{1,128}) (?<signature>[A-Za-z0-9+/]{91}=)\\n$',
);

/** The text to be signed. */
export function checkpointBody(checkpoint: Checkpoint): string {
  const { origin, size, root, time, previous } = checkpoint;
  return `${origin}\n${size}\n${toBase64(root)}\ntime ${time}\nprevious ${toBase64(previous)}\n`;
}

/** @returns undefined for what is not a checkpoint of this log's form; the signature is not looked at */
export function parseCheckpoint(note: string): SignedCheckpoint | undefined {
  if (note.length > MAX_NOTE_CHARACTERS) return undefined;
  const { body, origin, size, root, time, previous, name, signature } = NOTE.exec(note)?.groups ?? {};
  if (body === undefined || origin === undefined || time === undefined || signature === undefined) {
    return undefined;
  }
  const rootHash = fromBase64(root ?? '');
  const previousHash = fromBase64(previous ?? '');
  if (rootHash === undefined || previousHash === undefined || name !== origin) return undefined;
  const parsed = { origin, size: Number(size), root: rootHash, time, previous: previousHash };
  return { ...parsed, body, signature, note };
}

/** What the next checkpoint has as `previous`. */
export function checkpointHash(note: string): TreeHash {
  return hash('sha256', note, 'binary');
}
