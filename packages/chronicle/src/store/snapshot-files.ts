import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { putFile } from '@bulkhead/files';
import { BulkheadError } from '@bulkhead/protocol';
import type * as z from 'zod';
import { changeSchema, headerSchema, type Snapshot } from '../snapshot.ts';
import { removeOwnFile } from './own-files.ts';

const NAME = /^([0-9A-Za-z_-]{1,64})\.jsonl$/;

/** An unusable snapshot. */
export interface DamagedFile {
  /** Contents that it still names; undefined if none of its text can be read. */
  readonly hashes: readonly string[] | undefined;
}

/**
 * Stores each snapshot as a file: a line for the snapshot, a line for each object, and a last one
 * with the SHA-256 of the lines before, so that truncation and changes are detected.
 */
export class SnapshotFiles {
  readonly #folder: string;

  /** @param folder exists, and is private */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Durable when it resolves.
   *
   * @param contents resolves when they are on the disk: the snapshot is not visible before
   */
  async put({ changes, ...header }: Snapshot, contents?: Promise<void>): Promise<void> {
    const lines = [header, ...changes].map((line) => `${JSON.stringify(line)}\n`).join('');
    const text = `${lines}${JSON.stringify({ sha256: sha256(lines) })}\n`;
    await putFile(this.#path(header.id), text, { first: contents });
  }

  /** @throws BulkheadError `not_found`; `store_corrupt` if it has changed */
  read(id: string): Snapshot {
    const [first = '', ...rest] = this.#lines(id);
    return {
      ...parseLine(first, headerSchema, id),
      changes: rest.map((line) => parseLine(line, changeSchema, id)),
    };
  }

  /** Returns the readable parts of a snapshot that `read` refuses. */
  remains(id: string): DamagedFile {
    try {
      const named = readFileSync(this.#path(id), 'utf8').matchAll(/"hash":"([0-9a-f]{64})"/g);
      return { hashes: [...named].flatMap(([, hash]) => hash ?? []) };
    } catch {
      return { hashes: undefined };
    }
  }

  /**
   * Returns when it was first found damaged: its own time can't be trusted any more.
   * @param now confirmed time: stored beside it the first time
   */
  damagedSince(id: string, now: number): number {
    const path = markOf(this.#path(id));
    const found = readMark(path);
    if (found !== undefined) return found;
    writeMark(path, String(now));
    return now;
  }

  /** Returns all ids, in no order. */
  ids(): string[] {
    return readdirSync(this.#folder).flatMap((name) => NAME.exec(name)?.[1] ?? []);
  }

  remove(id: string): void {
    removeOwnFile(this.#path(id));
    removeOwnFile(markOf(this.#path(id)));
  }

  #lines(id: string): string[] {
    const lines = readText(this.#path(id), id).split('\n');
    if (lines.pop() !== '') throw corrupt(id, 'its end is missing');
    const end = lines.pop() ?? '';
    const text = lines.map((line) => `${line}\n`).join('');
    if (end !== JSON.stringify({ sha256: sha256(text) }))
      throw corrupt(id, 'its hash is not that of its lines');
    return lines;
  }

  #path(id: string): string {
    if (!NAME.test(`${id}.jsonl`)) throw new BulkheadError('not_found', `"${id}" is no id of a snapshot`);
    return `${this.#folder}/${id}.jsonl`;
  }
}

function markOf(path: string): string {
  return `${path}.damaged`;
}

/** An incomplete mark counts as missing. */
function readMark(path: string): number | undefined {
  try {
    const text = readFileSync(path, 'utf8');
    return /^\d{1,15}(\.\d+)?$/.test(text) ? Number(text) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * If it can't be written, or a power loss removes it, the snapshot counts as damaged since the next
 * start.
 */
function writeMark(path: string, text: string): void {
  try {
    writeFileSync(path, text, { mode: 0o600 });
  } catch {
    // A full disk: the mark is optional.
  }
}

function readText(path: string, id: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ENOENT')) throw cause;
    throw new BulkheadError('not_found', `there is no snapshot ${id}`, {
      fix: '`bulkhead chronicle list` shows those there are.',
      cause,
    });
  }
}

function parseLine<Schema extends z.ZodType>(line: string, schema: Schema, id: string): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(line));
  } catch (cause) {
    throw corrupt(id, 'a line of it can not be read', cause);
  }
}

function corrupt(id: string, reason: string, cause?: unknown): BulkheadError {
  return new BulkheadError('store_corrupt', `the snapshot ${id} is damaged: ${reason}`, { cause });
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
