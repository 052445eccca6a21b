import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { checkpointFileName } from '../audit-files.ts';
import { MAX_LINE_BYTES } from '../chain.ts';
import { eachLine } from '../each-line.ts';
import { Frontier } from '../merkle/frontier.ts';
import { fromBase64, toBase64 } from '../merkle/tree-hash.ts';
import { checkpointHash, NO_CHECKPOINT, parseCheckpoint, type SignedCheckpoint } from './checkpoint.ts';

/** Version of the file format. */
const VERSION = 1;

/**
 * First line of a file of checkpoints: the tree at the start of its file of entries, from which to
 * continue.
 */
export function headerLine(frontier: Frontier): string {
  return JSON.stringify({ v: VERSION, size: frontier.size, roots: frontier.roots.map(toBase64) });
}

export function noteLine(note: string): string {
  return JSON.stringify(note);
}

/** The valid part of a file of checkpoints; signatures are not checked. */
export interface CheckpointFileCheck {
  /** Undefined if its first line is missing. */
  readonly start?: Frontier;
  readonly last?: SignedCheckpoint;
  /** Good lines, complete ones only. */
  readonly lines: number;
  /** Bytes of the good lines. */
  readonly bytes: number;
  /** Why the next line is bad; undefined if there is none. */
  readonly bad?: string;
  /** The last line, if the file ends without a line break. */
  readonly torn?: Buffer;
}

/**
 * Reads a file of checkpoints: each must belong to the same log as the one before, name it and have
 * a greater size.
 * @param before the last checkpoint of the files before
 * @param visit called with each good checkpoint and its line, from 1
 */
export async function checkCheckpoints(
  folder: string,
  number: number,
  before: SignedCheckpoint | undefined,
  visit: (checkpoint: SignedCheckpoint, line: number) => void = () => {},
): Promise<CheckpointFileCheck> {
  await using file = await open(join(folder, checkpointFileName(number)), 'r');
  let start: Frontier | undefined;
  let last: SignedCheckpoint | undefined;
  let lines = 0;
  let bytes = 0;
  let bad: string | undefined;
  const torn = await eachLine(file, (line, offset) => {
    const value = parseJson(line.toString('utf8', 1));
    if (lines === 0) {
      start = parseHeader(value);
      if (start === undefined) bad = 'it does not tell the tree at the start of the file';
    } else {
      const next = nextCheckpoint(value, last ?? before, start?.size ?? 0);
      if (typeof next === 'string') bad = next;
      else last = next;
    }
    if (bad !== undefined) return false;
    lines += 1;
    bytes = offset + line.length;
    if (last !== undefined) visit(last, lines);
    return true;
  });
  if (torn !== undefined) bad = torn.length > MAX_LINE_BYTES ? 'it is too long' : 'it is incomplete';
  return {
    lines,
    bytes,
    ...(start && { start }),
    ...(last && { last }),
    ...(bad !== undefined && { bad }),
    ...(torn && { torn }),
  };
}

/**
 * @param line of a file of checkpoints. @returns undefined for its header, and for an invalid
 * checkpoint
 */
export function parseNoteLine(line: string): SignedCheckpoint | undefined {
  const value = parseJson(line);
  return typeof value === 'string' ? parseCheckpoint(value) : undefined;
}

function nextCheckpoint(
  value: unknown,
  before: SignedCheckpoint | undefined,
  start: number,
): SignedCheckpoint | string {
  const checkpoint = typeof value === 'string' ? parseCheckpoint(value) : undefined;
  if (checkpoint === undefined) return 'it is not a checkpoint';
  const previous = before === undefined ? NO_CHECKPOINT : checkpointHash(before.note);
  if (checkpoint.previous !== previous) return 'it does not follow the checkpoint before it';
  if (before !== undefined && checkpoint.origin !== before.origin) return 'it is of another log';
  if (checkpoint.size <= (before?.size ?? 0)) return 'it does not go further than the one before it';
  return checkpoint.size < start ? 'it is of entries before this file' : checkpoint;
}

function parseHeader(value: unknown): Frontier | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!('v' in value) || !('size' in value) || !('roots' in value)) return undefined;
  const { v, size, roots } = value;
  if (v !== VERSION || typeof size !== 'number' || !Array.isArray(roots)) return undefined;
  const hashes = roots.flatMap((root) => (typeof root === 'string' ? (fromBase64(root) ?? []) : []));
  try {
    return hashes.length === roots.length ? new Frontier(size, hashes) : undefined;
  } catch {
    return undefined;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
