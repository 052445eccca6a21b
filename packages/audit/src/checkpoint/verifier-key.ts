import { createPublicKey, hash, type KeyObject, verify } from 'node:crypto';
import type { SignedCheckpoint } from './checkpoint.ts';

/** Ed25519, in C2SP signed-note. */
const ALGORITHM = '\u0001';
const KEY_BYTES = 32;
const ID_BYTES = 4;
/** DER prefix of an Ed25519 public key, before its 32 bytes (RFC 8410, 4). */
const DER_PREFIX = '302a300506032b6570032100';

/** Verifies the signatures of a log's checkpoints. */
export interface VerifierKey {
  /** `name+id+key`, in the format of C2SP signed-note. */
  readonly text: string;
  /** Name of the log, which stays when its key changes. */
  readonly origin: string;
  /**
   * True if the checkpoint is of this log and signed by this key; at a change of keys, by either.
   */
  verifies(checkpoint: SignedCheckpoint): boolean;
}

/**
 * @param publicKey 32 bytes as latin1
 * @param origin of the log; a new one is named after its first key
 */
export function verifierKey(publicKey: string, origin = originOf(publicKey)): VerifierKey {
  const id = keyId(origin, publicKey);
  const der = `${Buffer.from(DER_PREFIX, 'hex').toString('latin1')}${publicKey}`;
  const key = createPublicKey({ key: Buffer.from(der, 'latin1'), format: 'der', type: 'spki' });
  const encoded = Buffer.from(`${ALGORITHM}${publicKey}`, 'latin1').toString('base64');
  return {
    text: `${origin}+${Buffer.from(id, 'latin1').toString('hex')}+${encoded}`,
    origin,
    verifies: (checkpoint) => checkpoint.origin === origin && verifies(key, id, checkpoint),
  };
}

function originOf(publicKey: string): string {
  return `bulkhead-audit/${hash('sha256', Buffer.from(publicKey, 'latin1')).slice(0, 16)}`;
}

/** @returns undefined if it is not the key of a log */
export function parseVerifierKey(text: string): VerifierKey | undefined {
  const [origin] = /^bulkhead-audit\/[0-9a-f]{16}(?=\+)/.exec(text) ?? [];
  const encoded = Buffer.from(text.slice(text.lastIndexOf('+', text.length - 45) + 1), 'base64');
  const publicKey = encoded.toString('latin1', 1);
  if (publicKey.length !== KEY_BYTES) return undefined;
  if (origin === undefined) return undefined;
  const key = verifierKey(publicKey, origin);
  return key.text === text ? key : undefined;
}

/** The last 32 bytes of the DER are the key (RFC 8410, 4). @returns them as latin1 */
export function publicKeyOf(key: KeyObject): string {
  return key.export({ format: 'der', type: 'spki' }).subarray(-KEY_BYTES).toString('latin1');
}

/** First bytes of the hash of name and key, which identify the signer (C2SP signed-note). */
export function keyId(origin: string, publicKey: string): string {
  const named = Buffer.concat([
    Buffer.from(`${origin}\n`),
    Buffer.from(`${ALGORITHM}${publicKey}`, 'latin1'),
  ]);
  return hash('sha256', named, 'binary').slice(0, ID_BYTES);
}

function verifies(key: KeyObject, id: string, { body, signatures }: SignedCheckpoint): boolean {
  return signatures.some((signature) => {
    const bytes = Buffer.from(signature, 'base64');
    if (bytes.toString('base64') !== signature || bytes.toString('latin1', 0, ID_BYTES) !== id) return false;
    return verify(null, Buffer.from(body), key, bytes.subarray(ID_BYTES));
  });
}
