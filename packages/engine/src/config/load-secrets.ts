import { readFileSync, statSync } from 'node:fs';
import { BulkheadError } from '@bulkhead/protocol';
import * as z from 'zod';

const secretsSchema = z.record(z.string(), z.string());

/** Looks a secret up by the name of its environment variable. */
export type SecretLookup = (name: string) => string | undefined;

/**
 * Secrets the user stored in `secrets.json`; none if there is no such file.
 *
 * @throws BulkheadError `config_invalid` if the file is there but others can read it, or it is not an
 *   object of strings; its content is never part of the message
 */
export function loadSecrets(path: string): SecretLookup {
  const stored = new Map(Object.entries(readSecrets(path)));
  return (name) => stored.get(name);
}

function readSecrets(path: string): Record<string, string> {
  const text = readPrivate(path);
  if (text === undefined) return {};
  try {
    return secretsSchema.parse(JSON.parse(text));
  } catch {
    throw new BulkheadError('config_invalid', `${path} is not a JSON object of strings`, {
      fix: 'Write it as {"ANTHROPIC_API_KEY": "…"}.',
    });
  }
}

function readPrivate(path: string): string | undefined {
  try {
    if ((statSync(path).mode & 0o077) !== 0) {
      throw new BulkheadError('config_invalid', `${path} can be read by others`, {
        fix: `Run: chmod 600 ${path}`,
      });
    }
    return readFileSync(path, 'utf8');
  } catch (cause) {
    if (BulkheadError.is(cause)) throw cause;
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
    throw new BulkheadError('config_invalid', `${path} can't be read`, { cause });
  }
}
