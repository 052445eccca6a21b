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

/** The private key, PKCS 8. Who can read it can sign whatever they like: then only a witness tells. */
const SECRET_FILE = 'checkpoint-key.pem';
/** One that takes over once its predecessor has said so in a checkpoint. */
const NEXT_SECRET_FILE = 'checkpoint-key.next.pem';
/** The public one, for those who verify. */
export const PUBLIC_KEY_FILE = 'checkpoint-key.pub';

export interface SigningKey {
  readonly verifier: VerifierKey;
  /** @param next takes over after it, and signs it, too */
  sign(checkpoint: Omit<Checkpoint, 'origin' | 'change'>, next?: SigningKey): SignedCheckpoint;
  /** Its signature under a text, as a note has it. */
  signature(body: string): string;
}

/** What was signed before. */
interface Signed {
  /** True if there is no trace of any. */
  readonly neverSigned: boolean;
  readonly last?: SignedCheckpoint;
}

/**
 * The key of the log in `folder`; undefined if there is none and nothing was signed. One made anew under signed
 * checkpoints would pass for another log. A change of keys that a crash cut off is brought to its end if the last checkpoint
 * says it, and forgotten if not.
 * @throws BulkheadError `audit_failed` if the key is missing, can't be used, or is not the one that signed
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
 * Whether the log in `folder` can be signed on: its key, or the one that takes over, exists.
 *
 * @param verifier the key that signed last, as C2SP signed-note writes it
 * @throws BulkheadError `audit_failed` as the opening of the log does
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

/** Makes the key of a log that has none; mode 0600. To be called once its file of checkpoints is there. */
export function makeSigningKey(folder: string): SigningKey {
  return publish(folder, signingKey(writeSecret(folder, SECRET_FILE), undefined));
}

/** Makes the key that is to take over from another one of the same log, and keeps it beside. */
export function makeNextKey(folder: string, origin: string): SigningKey {
  return signingKey(writeSecret(folder, NEXT_SECRET_FILE), origin);
}

/** Puts the next key in the place of the one before, whose private half is gone then. */
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

/** Sees to it that the public half is there for those who verify. */
function publish(folder: string, key: SigningKey): SigningKey {
  const path = join(folder, PUBLIC_KEY_FILE);
  const known = readKeyFile(path);
  if (known === undefined) putKeyFile(path, `${key.verifier.text}\n`);
  else if (known !== `${key.verifier.text}\n`) {
    throw auditFailed(`${path} is not the public half of the key that signs the audit log`);
  }
  return key;
}

/** @param logName undefined: that of a new log */
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
