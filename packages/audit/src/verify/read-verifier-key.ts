import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PUBLIC_KEY_FILE } from '../checkpoint/signing-key.ts';
import { parseVerifierKey, type VerifierKey } from '../checkpoint/verifier-key.ts';

/** @returns the public key in the folder of a log; the reason if there is none */
export async function readVerifierKey(folder: string): Promise<VerifierKey | string> {
  const text = await readFile(join(folder, PUBLIC_KEY_FILE), 'utf8').catch(() => undefined);
  if (text === undefined) return `the key to check them with is missing: ${PUBLIC_KEY_FILE}`;
  return parseVerifierKey(text.trimEnd()) ?? `${PUBLIC_KEY_FILE} does not hold the key of a log`;
}
