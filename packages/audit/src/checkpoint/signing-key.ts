import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { join } from 'node:path';
import { BulkheadError } from '@bulkhead/protocol';
import { auditFailed } from '../audit-files.ts';
import {
  type Checkpoint,
  checkpointBody,
  noteText,
  parseCheckpoint,
  type SignedCheckpoint,
} from './checkpoint.ts';
import { moveKeyFile, putKeyFile, readKeyFile } from './key-files.ts';
import { keyId, parseVerifierKey, publicKeyOf, type VerifierKey, verifierKey } from './verifier-key.ts';

/** The private key, PKCS 8. Its readers can sign anything: then only a witness reveals it. */
const SECRET_FILE = 'checkpoint-key.pem';
/** The next key, which takes over once its predecessor names it in a checkpoint. */
const NEXT_SECRET_FILE = 'checkpoint-key.next.pem';
/** The public key, for verifiers. */
export const PUBLIC_KEY_FILE = 'checkpoint-key.pub';

export interface SigningKey {
  readonly verifier: VerifierKey;
  /** @param next takes over after it, and also signs */
  sign(checkpoint: Omit<Checkpoint, 'origin' | 'change'>, next?: SigningKey): SignedCheckpoint;
  /** Its signature of a text, in the format of a note. */
  signature(body: string): string;
}

/** Earlier signatures of the log. */
interface Signed {
  /** True if no trace of a signature exists. */
  readonly neverSigned: boolean;
  readonly last?: SignedCheckpoint;
}

/**
 * Reads the key of the log in `folder`; undefined if there is none and nothing was signed. A new
 * key under signed checkpoints would look like another log. Completes an interrupted change of keys
 * if the last checkpoint contains it, and discards it if not.
 * @throws BulkheadError `audit_failed` if the key is missing, unusable, or not the one that signed
 */
export function readSigningKey(folder: string, { neverSigned, last }: Signed): SigningKey | undefined {
  const path = join(folder, SECRET_FILE);
  const pem = readKeyFile(path);
  if (pem === undefined) {
    if (last === undefined) return undefined;
    throw keyIsMissing(folder);
  }
  if (neverSigned) throw auditFailed(`the checkpoints of the audit log in ${folder} are missing`);
  const key = signingKey(parseKey(pem, path), last?.origin);
  if (last?.change !== undefined) return changedKey(folder, key, last.change.to);
  if (last !== undefined && !key.verifier.verifies(last)) {
    throw auditFailed(
      `the last checkpoint of the audit log, of ${last.size} entries, was not signed by ${path}`,
    );
  }
  return publish(folder, key);
}

/**
 * Checks that the log in `folder` can be signed further: its key, or the next one, exists.
 *
 * @param verifier the last signing key, in the format of C2SP signed-note
 * @throws BulkheadError `audit_failed`, as opening the log does
 */
export function checkSigningKey(folder: string, verifier: string): void {
  const origin = parseVerifierKey(verifier)?.origin;
  const keys = [SECRET_FILE, NEXT_SECRET_FILE].flatMap((name) => {
    const path = join(folder, name);
    const pem = readKeyFile(path);
    return pem === undefined ? [] : [signingKey(parseKey(pem, path), origin).verifier.text];
  });
  if (keys.length === 0) throw keyIsMissing(folder);
  if (!keys.includes(verifier))
    throw auditFailed(`the audit log was last signed by another key than ${join(folder, SECRET_FILE)}`);
}

function keyIsMissing(folder: string): BulkheadError {
  const path = join(folder, SECRET_FILE);
  return new BulkheadError(
    'audit_failed',
    `the key that signs the checkpoints of the audit log is missing: ${path}`,
    {
      fix: `Restore it from a backup. Without one, keep the log for whoever wants to check it, and begin another: \`mv ${folder} ${folder}-closed\`, then \`bulkhead start --daemon\`.`,
    },
  );
}

/** Creates the key of a log without one; mode 0600. Call it once the file of checkpoints exists. */
export function makeSigningKey(folder: string): SigningKey {
  return publish(folder, signingKey(writeSecret(folder, SECRET_FILE), undefined));
}

/** Creates the next key of the same log, and stores it beside the current one. */
export function makeNextKey(folder: string, origin: string): SigningKey {
  return signingKey(writeSecret(folder, NEXT_SECRET_FILE), origin);
}

/** Replaces the key by the next one, which deletes the old private key. */
export function takeOver(folder: string, next: SigningKey): void {
  moveKeyFile(join(folder, NEXT_SECRET_FILE), join(folder, SECRET_FILE));
  putKeyFile(join(folder, PUBLIC_KEY_FILE), `${next.verifier.text}\n`);
}

/** @param to the key that the last checkpoint names */
function changedKey(folder: string, key: SigningKey, to: string): SigningKey {
  if (key.verifier.text === to) {
    putKeyFile(join(folder, PUBLIC_KEY_FILE), `${to}\n`);
    return key;
  }
  const path = join(folder, NEXT_SECRET_FILE);
  const pem = readKeyFile(path);
  const next = pem === undefined ? undefined : signingKey(parseKey(pem, path), key.verifier.origin);
  if (next?.verifier.text !== to) {
    throw auditFailed(`the key that signs the audit log from now on is missing: its public half is ${to}`);
  }
  takeOver(folder, next);
  return next;
}

/** Ensures that the public key is stored for verifiers. */
function publish(folder: string, key: SigningKey): SigningKey {
  const path = join(folder, PUBLIC_KEY_FILE);
  const known = readKeyFile(path);
  if (known === undefined) putKeyFile(path, `${key.verifier.text}\n`);
  else if (known !== `${key.verifier.text}\n`) {
    throw auditFailed(`${path} is not the public half of the key that signs the audit log`);
  }
  return key;
}

/** @param logName undefined for a new log */
function signingKey(secret: KeyObject, logName: string | undefined): SigningKey {
  const publicKey = publicKeyOf(createPublicKey(secret));
  const verifier = verifierKey(publicKey, logName);
  const { origin } = verifier;
  const id = Buffer.from(keyId(origin, publicKey), 'latin1');
  const signature = (body: string): string =>
    Buffer.concat([id, sign(null, Buffer.from(body), secret)]).toString('base64');
  return {
    verifier,
    signature,
    sign(checkpoint, next) {
      const change = next && { from: verifier.text, to: next.verifier.text };
      const body = checkpointBody({ ...checkpoint, origin, ...(change && { change }) });
      const signatures = [signature(body), ...(next === undefined ? [] : [next.signature(body)])];
      const signed = parseCheckpoint(noteText(body, origin, signatures));
      if (signed === undefined || !verifier.verifies(signed) || next?.verifier.verifies(signed) === false)
        throw new Error('a checkpoint can not be signed');
      return signed;
    },
  };
}

function writeSecret(folder: string, name: string): KeyObject {
  const { privateKey } = generateKeyPairSync('ed25519');
  putKeyFile(join(folder, name), privateKey.export({ format: 'pem', type: 'pkcs8' }).toString());
  return privateKey;
}

function parseKey(pem: string, path: string): KeyObject {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch (cause) {
    throw auditFailed(`${path} does not hold a key`, cause);
  }
  throw auditFailed(`${path} does not hold an Ed25519 key`);
}
