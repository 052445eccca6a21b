import { existsSync, readFileSync } from 'node:fs';
import { BulkheadError } from '@bulkhead/protocol';
import { readStrictYaml } from '@bulkhead/protocol/strict-yaml';
import { type Config, configSchema } from './config-schema.ts';
import { plainWords } from './schema/plain-words.ts';

/**
 * @param path of `config.yaml`; a missing file means all defaults
 * @throws BulkheadError `config_invalid`: the problem, its line, and the known keys
 */
export function loadConfig(path: string): Config {
  const text = readConfigText(path);
  if (text === '' && existsSync(path)) {
    // A power cut may have emptied it: the defaults may allow more than its content did.
    throw new BulkheadError('config_invalid', `${path} is empty`, {
      fix: 'Restore it from a backup, or delete it to start with the defaults.',
    });
  }
  return parseConfig(text, path);
}

/** @param path for messages */
export function parseConfig(text: string, path: string): Config {
  return readStrictYaml(text, path, configSchema, { empty: {}, wording: plainWords }).value;
}

/** Content of the file; empty if it is missing. */
export function readConfigText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    if (isMissing(cause)) return '';
    throw new BulkheadError('config_invalid', `${path} can't be read: ${reasonOf(cause)}`, {
      fix: 'Give yourself read permission, or move the file away to start with the defaults.',
      cause,
    });
  }
}

function isMissing(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
}
