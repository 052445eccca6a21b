import { realpathSync, statSync } from 'node:fs';
import { normalize } from 'node:path';
import { refuseUnsafeWorkingFolder } from '@bulkhead/actions/pipeline/protection';
import type { AuditSink } from '@bulkhead/audit';
import { objectId } from '@bulkhead/files';
import { existingFolder } from '@bulkhead/home/folder/existing-folder';
import { FolderObject } from '@bulkhead/processes/transactions/folder-object';
import { BulkheadError, type Clock, type HomeLayout } from '@bulkhead/protocol';
import { type FolderScan, scanFolder, sha256Of } from './scan-folder.ts';
import { type TrustRecord, TrustRecords } from './trust-record.ts';
import { changesBetween, digestOf, type TrustChange, type TrustedFile } from './trusted-file.ts';

/** How a folder stands. Only `trusted` lets anything of it be interpreted. */
export type Trust =
  | { readonly state: 'untrusted' }
  | { readonly state: 'trusted'; readonly files: readonly TrustedFile[] }
  /** It was trusted, and something of it isn't as it was: nothing counts until it is trusted again. */
  | { readonly state: 'changed'; readonly changes: readonly TrustChange[] };

/** The facts a person sees before approving. */
export interface FolderInspection {
  /** Resolved. */
  readonly folder: string;
  readonly trust: Trust;
  readonly files: readonly TrustedFile[];
  readonly digest: string;
}

/**
 * Which folders a person trusts, bound to the folder as an object and to every byte of it that would be interpreted
 * (FT97, FT98). `grant` and `revoke` belong to clients alone: no tool and no agent is handed this object.
 */
export class TrustStore {
  readonly #layout: HomeLayout;
  readonly #records: TrustRecords;
  readonly #audit: AuditSink;
  readonly #clock: Clock;

  /** @param parts.layout of the home, resolved */
  constructor(parts: { readonly layout: HomeLayout; readonly audit: AuditSink; readonly clock: Clock }) {
    this.#layout = parts.layout;
    this.#records = new TrustRecords(parts.layout.trust);
    this.#audit = parts.audit;
    this.#clock = parts.clock;
  }

  /**
   * How a folder stands now. Of a folder that was never trusted nothing is opened.
   *
   * @param folder resolved, as sessions keep it
   * @throws BulkheadError `store_corrupt`, `config_invalid` for a bad record; `blocked` for what can't be looked at
   */
  async trustOf(folder: string): Promise<Trust> {
    const record = this.#records.read(folder);
    return record === undefined ? { state: 'untrusted' } : compare(record, await this.#scan(folder));
  }

  /**
   * The only access to a folder's own bytes for interpreters. Returns exactly the bytes that were
   * hashed.
   *
   * @param folder resolved
   * @param path as `trustOf` lists it
   * @throws BulkheadError `blocked` unless the folder is trusted and this file is unchanged
   */
  async readTrusted(folder: string, path: string): Promise<Buffer> {
    const record = this.#records.read(folder);
    const known = record?.files.find((file) => file.path === path);
    if (record === undefined || known === undefined) throw notTrusted(folder, path, 'is not trusted');
    await using root = await FolderObject.walk(folder);
    if (root?.isKnownAs(record.identity) !== true)
      throw notTrusted(folder, path, 'is not the one that was trusted');
    const bytes = await readBelow(root, path.split('/'), known.size);
    if (bytes === undefined || sha256Of(bytes) !== known.sha256) {
      throw notTrusted(folder, path, 'has changed since it was trusted');
    }
    return bytes;
  }

  /**
   * Describes the effect of trusting a folder. Hashes it and interprets nothing.
   *
   * @param path absolute
   * @throws BulkheadError `usage` if it is no folder to work in, `blocked` if it can't be trusted
   */
  async inspect(path: string): Promise<FolderInspection> {
    const folder = existingFolder(path, 'as in `bulkhead trust DIR`');
    refuseUnsafeWorkingFolder(folder, this.#layout.root);
    const scan = await this.#scan(folder);
    const record = this.#records.read(folder);
    const files = scan?.files ?? [];
    const trust: Trust = record === undefined ? { state: 'untrusted' } : compare(record, scan);
    return { folder, trust, files, digest: digestOf(files) };
  }

  /**
   * Trusts exactly the state that the person saw. Audited before it takes effect.
   *
   * @param digest as inspected
   * @throws BulkheadError `blocked` if the folder has changed; `usage` if it holds nothing to trust
   */
  async grant(path: string, digest: string): Promise<void> {
    const folder = existingFolder(path, 'as in `bulkhead trust DIR`');
    refuseUnsafeWorkingFolder(folder, this.#layout.root);
    const scan = await this.#scan(folder);
    if (scan === undefined || digestOf(scan.files) !== digest) {
      throw new BulkheadError('blocked', `${folder} changed after it was shown: it is not trusted`, {
        fix: 'Look at it again: bulkhead trust DIR',
      });
    }
    if (scan.files.length === 0) {
      throw new BulkheadError(
        'usage',
        `${folder} holds nothing that would be interpreted: there is nothing to trust`,
        { fix: 'What counts are an AGENTS.md, a CLAUDE.md and a .bulkhead folder: see docs/trust.md.' },
      );
    }
    const { identity, files } = scan;
    await this.#note('TRUSTED', { folder, digest, files: files.map((file) => file.path) });
    this.#records.write({ version: 1, folder, identity, trustedAt: this.#clock.now(), files: [...files] });
  }

  /**
   * @param path absolute; the folder may be gone
   * @returns false if it was not trusted
   */
  async revoke(path: string): Promise<boolean> {
    const folder = resolvedOrGiven(path);
    // Less trust needs no record first: it takes effect immediately.
    const removed = this.#records.remove(folder);
    if (removed) await this.#note('TRUST_REVOKED', { folder });
    return removed;
  }

  /** Every folder that was trusted, by path. @throws BulkheadError as `trustOf` does of records */
  list(): readonly TrustRecord[] {
    return this.#records.all();
  }

  #scan(folder: string): Promise<FolderScan | undefined> {
    const home = statSync(this.#layout.root, { bigint: true, throwIfNoEntry: false });
    return scanFolder(folder, home && objectId(home));
  }

  #note(step: 'TRUSTED' | 'TRUST_REVOKED', details: Readonly<Record<string, string | readonly string[]>>) {
    return this.#audit.append([{ step, action: '', hash: '', session: '', tool: '', details }]);
  }
}

function compare(record: TrustRecord, scan: FolderScan | undefined): Trust {
  if (scan?.isKnownAs(record.identity) !== true)
    return { state: 'changed', changes: [{ path: '.', what: 'replaced' }] };
  const changes = changesBetween(record.files, scan.files);
  return changes.length === 0 ? { state: 'trusted', files: scan.files } : { state: 'changed', changes };
}

async function readBelow(
  root: FolderObject,
  names: readonly string[],
  size: number,
): Promise<Buffer | undefined> {
  const [name = '', ...rest] = names;
  await using object = await root.child(name);
  if (object === undefined) return undefined;
  // Awaited here: the object is closed when this returns.
  if (rest.length > 0) return object.stat.isDirectory() ? await readBelow(object, rest, size) : undefined;
  return object.stat.isFile() ? await object.read(size) : undefined;
}

function resolvedOrGiven(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return normalize(path).replace(/(?<=.)\/$/, '');
  }
}

function notTrusted(folder: string, path: string, what: string): BulkheadError {
  return new BulkheadError('blocked', `${path} of ${folder} is not used: it ${what}`, {
    fix: `Look at it and trust it: bulkhead trust ${folder}`,
  });
}
