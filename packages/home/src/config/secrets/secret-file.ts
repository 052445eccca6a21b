import { BulkheadError, type HomeLayout } from '@bulkhead/protocol';
import * as z from 'zod';
import { lockHome } from '../file/lock-home.ts';
import { readPrivateFile } from '../file/read-private-file.ts';
import { replaceFile } from '../file/replace-file.ts';
import type { SecretLookup, SecretStore } from './secret-store.ts';

const secretsSchema = z.record(z.string(), z.string());

/** `secrets.json` of a home, mode 0600. Read again at a look-up if changed. */
export function createSecretFile(layout: HomeLayout): SecretStore {
  const path = layout.secrets;
  const read = cachedReader(path);
  const change = (edit: (secrets: Map<string, string>) => boolean): boolean => {
    using _lock = lockHome(layout);
    const secrets = new Map(read());
    if (!edit(secrets)) return false;
    const sorted = [...secrets].toSorted(([a], [b]) => (a < b ? -1 : 1));
    replaceFile(path, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
    return true;
  };
  return {
    place: path,
    get: (name) => read().get(name),
    names: () => [...read().keys()].toSorted(),
    set: (name, value) => void change((secrets) => secrets.set(name, value) !== undefined),
    remove: (name) => change((secrets) => secrets.delete(name)),
  };
}

/**
 * Looks secrets up in the file at `path`, which may appear, change or disappear at any time. No
 * file: no secrets.
 *
 * @throws BulkheadError `config_invalid`, here or at a later look-up, if it exists but is not
 *   private to its owner or not an object of strings; its content is never part of the message
 */
export function readSecretFile(path: string): SecretLookup {
  const read = cachedReader(path);
  read();
  return (name) => read().get(name);
}

function cachedReader(path: string): () => ReadonlyMap<string, string> {
  let known: { readonly stamp: string; readonly secrets: ReadonlyMap<string, string> } | undefined;
  return () => {
    const file = readPrivateFile(path, { knownStamp: known?.stamp });
    if (file === undefined) known = undefined;
    else if (file.text !== undefined) known = { stamp: file.stamp, secrets: parse(file.text, path) };
    return known?.secrets ?? new Map();
  };
}

function parse(text: string, path: string): ReadonlyMap<string, string> {
  try {
    return new Map(Object.entries(secretsSchema.parse(JSON.parse(text))));
  } catch {
    // No cause: a parser's message quotes what it could not read.
    throw new BulkheadError('config_invalid', `${path} is not a JSON object of strings`, {
      fix: 'Write it as {"ANTHROPIC_API_KEY": "…"}, or move it away and use `bulkhead config secret NAME`.',
    });
  }
}
