import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { syncFolder } from '../append-file.ts';
import { auditFailed } from '../audit-files.ts';
import { type Checkpoint, checkpointBody, parseCheckpoint, type SignedCheckpoint } from './checkpoint.ts';
import { keyId, publicKeyOf, type VerifierKey, verifierKey } from './verifier-key.ts';

/** The private key, PKCS 8. Who can read it can sign whatever they like: then only a witness tells. */
const SECRET_FILE = 'checkpoint-key.pem';
/** The public one, for those who verify. */
export const PUBLIC_KEY_FILE = 'checkpoint-key.pub';

export interface SigningKey {
  readonly verifier: VerifierKey;
  sign(checkpoint: Omit<Checkpoint, 'origin'>): SignedCheckpoint;
}

/** What was signed before. */
interface Signed {
  /** True if there is no trace of any. */
  readonly neverSigned: boolean;
  readonly last?: SignedCheckpoint;
}

/**
 * The key of the log in `folder`; undefined if there is none and nothing was signed. One made anew under signed
 * checkpoints would pass for another log.
 * @throws BulkheadError `audit_failed` if the key is missing, can't be used, or is not the one that signed
 */
export function readSigningKey(folder: string, { neverSigned, last }: Signed): SigningKey | undefined {
  const path = join(folder, SECRET_FILE);
  const pem = readIfThere(path);
  if (pem === undefined) {
    if (last === undefined) return undefined;
    throw auditFailed(`the key that signs the checkpoints of the audit log is missing: ${path}`);
  }
  if (neverSigned) throw auditFailed(`the checkpoints of the audit log in ${folder} are missing`);
  const key = signingKey(parseKey(pem, path));
  if (last !== undefined && !key.verifier.verifies(last)) {
    throw auditFailed(
      `the last checkpoint of the audit log, of ${last.size} entries, was not signed by ${path}`,
    );
  }
  return publish(folder, key);
}

/** Makes the key of a log that has none; mode 0600. To be called once its file of checkpoints is there. */
export function makeSigningKey(folder: string): SigningKey {
  const { privateKey } = generateKeyPairSync('ed25519');
  writeNew(join(folder, SECRET_FILE), privateKey.export({ format: 'pem', type: 'pkcs8' }).toString());
  return publish(folder, signingKey(privateKey));
}

/** Sees to it that the public half is there for those who verify. */
function publish(folder: string, key: SigningKey): SigningKey {
  const path = join(folder, PUBLIC_KEY_FILE);
  const known = readIfThere(path);
  if (known === undefined) writeNew(path, `${key.verifier.text}\n`);
  else if (known !== `${key.verifier.text}\n`) {
    throw auditFailed(`${path} is not the public half of the key that signs the audit log`);
  }
  return key;
}

function signingKey(secret: KeyObject): SigningKey {
  const publicKey = publicKeyOf(createPublicKey(secret));
  const verifier = verifierKey(publicKey);
  const { origin } = verifier;
  const id = Buffer.from(keyId(origin, publicKey), 'latin1');
  return {
    verifier,
    sign(checkpoint) {
      const body = checkpointBody({ ...checkpoint, origin });
      const bytes = Buffer.concat([id, sign(null, Buffer.from(body), secret)]);
      const signed = parseCheckpoint(`${body}\n— ${origin} ${bytes.toString('base64')}\n`);
      if (signed === undefined || !verifier.verifies(signed))
        throw new Error('a checkpoint can not be signed');
      return signed;
    },
  };
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

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** All of it or nothing, whenever the power goes. */
function writeNew(path: string, text: string): void {
  const descriptor = openSync(`${path}.new`, 'w', 0o600);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(`${path}.new`, path);
  syncFolder(dirname(path));
}
