import { BulkheadError, describeError } from '@bulkhead/protocol';
import { auditFailed, listAuditFiles } from '../audit-files.ts';
import { lastCheckpoint } from '../checkpoint/find-tree.ts';
import type { KeyRing } from '../checkpoint/key-ring.ts';
import { readKeyRing } from '../checkpoint/read-key-ring.ts';
import { parseVerifierKey } from '../checkpoint/verifier-key.ts';
import type { AuditVerification, BadEntry } from './audit-verification.ts';
import { LogReading } from './log-reading.ts';
import { readVerifierKey } from './read-verifier-key.ts';
import { rootsOfWitness, type WitnessNotes } from './witness-notes.ts';

export interface VerifyOptions {
  readonly signal?: AbortSignal;
  /**
   * True: checks the chain everywhere, also where the tree covers the entries. Takes twice the
   * time.
   */
  readonly chain?: boolean;
  /**
   * A past or present public key of the log, from a trusted source; default: the one stored beside
   * the log.
   */
  readonly key?: string;
  /**
   * Copies of checkpoints out of the engine's reach. Without one, a program with its rights can
   * rewrite history.
   */
  readonly witnesses?: readonly WitnessNotes[];
}

/**
 * Reads the whole log in bounded memory, recomputes the tree, and compares its root at every
 * checkpoint. Up to the last checkpoint, if its signature is good, the tree covers every byte;
 * after it, in a log without checkpoints, and after any problem, the chain is checked too, to
 * locate the problem. Detects changed, added, moved and removed entries. Only a witness reveals
 * entries removed from the end with all checkpoints over them, or rewritten and signed with the
 * engine's own key.
 * @throws BulkheadError `audit_failed` if the folder can't be read, `cancelled` if aborted
 */
export async function verifyAuditLog(
  folder: string,
  options: VerifyOptions = {},
): Promise<AuditVerification> {
  try {
    const keys = await keysOf(folder, options);
    const vouched = options.chain === true ? 0 : await signedSize(folder, keys);
    const quick = vouched > 0 ? await readOnce(folder, options, keys, vouched) : undefined;
    return quick?.ok === true ? quick : await readOnce(folder, options, keys, 0);
  } catch (error) {
    if (options.signal?.aborted) {
      throw new BulkheadError('cancelled', 'the check was cancelled', { cause: error });
    }
    throw auditFailed(`can't read the audit log in ${folder}: ${describeError(error)}`, error);
  }
}

async function readOnce(
  folder: string,
  { signal, witnesses }: VerifyOptions,
  keys: KeyRing | string,
  vouched: number,
): Promise<AuditVerification> {
  const reading = new LogReading({ folder, signal, vouched, keys });
  const bad = addWitnesses(reading, keys, witnesses ?? []) ?? (await readAll(reading, folder));
  return conclude(reading, bad, keys);
}

/** Size of the last checkpoint, if this key signed it. */
async function signedSize(folder: string, keys: KeyRing | string): Promise<number> {
  if (typeof keys === 'string') return 0;
  const last = await lastCheckpoint(folder, (await listAuditFiles(folder)).checkpoints);
  return last !== undefined && keys.verifies(last) ? last.size : 0;
}

async function keysOf(folder: string, { key }: VerifyOptions): Promise<KeyRing | string> {
  const known = key === undefined ? await readVerifierKey(folder) : parseVerifierKey(key);
  if (known === undefined) return 'the given key is not the key of a log';
  return typeof known === 'string' ? known : await readKeyRing(folder, known);
}

function addWitnesses(
  reading: LogReading,
  keys: KeyRing | string,
  witnesses: readonly WitnessNotes[],
): BadEntry | undefined {
  for (const witness of witnesses) {
    if (typeof keys === 'string') return { file: witness.name, line: 1, n: 1, reason: keys };
    const roots = rootsOfWitness(witness, keys);
    if ('reason' in roots) return roots;
    reading.expect(roots);
  }
  return undefined;
}

async function readAll(reading: LogReading, folder: string): Promise<BadEntry | undefined> {
  const files = await listAuditFiles(folder);
  const count = Math.max(files.entries.at(-1) ?? 0, files.checkpoints.at(-1) ?? 0);
  for (let number = 1; number <= count; number++) {
    const bad = await reading.read(number, {
      entries: files.entries.includes(number),
      checkpoints: files.checkpoints.includes(number),
      isLast: number === count,
    });
    if (bad !== undefined) return bad;
  }
  return reading.unreached();
}

function conclude(reading: LogReading, bad: BadEntry | undefined, keys: KeyRing | string): AuditVerification {
  const firstBad = bad ?? reading.signatureProblem();
  if (firstBad !== undefined)
    return { ok: false, entries: Math.min(reading.entries, firstBad.n - 1), firstBad };
  const { signed } = reading;
  if (signed === undefined || typeof keys === 'string') return { ok: true, entries: reading.entries };
  return { ok: true, entries: reading.entries, signed: { key: keys.current, ...signed } };
}
