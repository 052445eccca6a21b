import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { flushFolderSync } from '@bulkhead/files';
import { readPrivateFile } from '@bulkhead/home/config/file/read-private-file';
import { replaceFile } from '@bulkhead/home/config/file/replace-file';
import { BulkheadError } from '@bulkhead/protocol';
import * as z from 'zod';

/** Largest record that is written, in bytes of JSON. Readers take no larger ones. */
const MAX_BYTES = 1_000_000;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const recordSchema = z.strictObject({
  version: z.literal(1),
  /** Resolved. */
  folder: z.string().startsWith('/'),
  /** As `lastingId` names it; in older records device and inode. */
  identity: z.string().regex(/^\d+[:@]\d+$/),
  /** Milliseconds since 1970. */
  trustedAt: z.number().int(),
  files: z.array(z.strictObject({ path: z.string().min(1), size: z.number().int().min(0), sha256 })).min(1),
});

/** One folder that a person trusts, as it was when they said so. */
export type TrustRecord = Readonly<z.infer<typeof recordSchema>>;

/**
 * The records of a home, one private file each, named by the hash of its folder's path: what is wrong with one takes
 * no trust from another, and gives none. The engine, which holds the home's lock, is the only writer.
 */
export class TrustRecords {
  readonly #place: string;

  /** @param place folder of the records; made when the first one is written */
  constructor(place: string) {
    this.#place = place;
  }

  /**
   * @param folder resolved
   * @returns undefined if it is not trusted
   * @throws BulkheadError `config_invalid` if the record is not private; `store_corrupt` if it
   * can't be understood
   */
  read(folder: string): TrustRecord | undefined {
    const record = this.#readFile(fileOf(folder));
    if (record === undefined || record.folder === folder) return record;
    throw corrupt(`${this.#place}/${fileOf(folder)}`, undefined);
  }

  /** Every record, by folder. @throws as `read` */
  all(): readonly TrustRecord[] {
    return this.#names()
      .flatMap((name) => this.#readFile(name) ?? [])
      .toSorted((a, b) => (a.folder < b.folder ? -1 : 1));
  }

  /** How many records there are, and what is wrong with some; a line each. */
  look(): { readonly records: number; readonly problems: readonly string[] } {
    const names = this.#names();
    const problems = names.flatMap((name) => {
      try {
        const record = this.#readFile(name);
        return record === undefined || fileOf(record.folder) === name
          ? []
          : [`${this.#place}/${name} is the record of another folder`];
      } catch (error) {
        return [BulkheadError.from(error).message];
      }
    });
    return { records: names.length, problems };
  }

  /** On the disk when it returns. @throws BulkheadError `blocked` if it has become too large, `not_available` if it can't be written */
  write(record: TrustRecord): void {
    const text = `${JSON.stringify(record)}\n`;
    if (Buffer.byteLength(text) > MAX_BYTES) {
      throw new BulkheadError('blocked', `${record.folder} holds too many files to be trusted`, {
        fix: 'Take out of .bulkhead what is not needed there.',
      });
    }
    mkdirSync(this.#place, { recursive: true, mode: 0o700 });
    flushFolderSync(dirname(this.#place));
    replaceFile(`${this.#place}/${fileOf(record.folder)}`, text);
  }

  /** Also takes a record away that can't be understood. @returns false if there was none */
  remove(folder: string): boolean {
    const name = fileOf(folder);
    if (!this.#names().includes(name)) return false;
    rmSync(`${this.#place}/${name}`);
    // Trust that was taken back must not come back with the power.
    flushFolderSync(this.#place);
    return true;
  }

  #names(): readonly string[] {
    try {
      return readdirSync(this.#place).filter((name) => /^[0-9a-f]{64}\.json$/.test(name));
    } catch (cause) {
      if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return [];
      throw cause;
    }
  }

  #readFile(name: string): TrustRecord | undefined {
    const path = `${this.#place}/${name}`;
    const text = readPrivateFile(path)?.text;
    if (text === undefined) return undefined;
    try {
      return recordSchema.parse(JSON.parse(text));
    } catch (cause) {
      throw corrupt(path, cause);
    }
  }
}

function fileOf(folder: string): string {
  return `${createHash('sha256').update(folder).digest('hex')}.json`;
}

function corrupt(path: string, cause: unknown): BulkheadError {
  return new BulkheadError('store_corrupt', `${path} is no record of trust that this version understands`, {
    fix: 'Remove it and trust the folder again: bulkhead trust DIR',
    cause,
  });
}
