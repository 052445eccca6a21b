import { lstatSync, readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { BulkheadError } from '@bulkhead/protocol';
import { presetPolicies } from '@bulkhead/shield/presets';
import { EMPTY_FLOW_POLICY, FLOW_POLICY_FILE } from './flow-policy-file.ts';
import type { HomeFiles } from './home-files.ts';

/** The policies of a new home. */
export const SHIPPED_POLICIES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(presetPolicies).map(([name, text]) => [`${name}.yaml`, text])),
  [FLOW_POLICY_FILE]: EMPTY_FLOW_POLICY,
};

/** A file that is this much younger than its folder was written by a person, milliseconds. */
const MADE_TOGETHER_MS = 10_000;

/**
 * Creates the folder of policies with the presets atomically, on disk. Call only for a home that
 * was never completed: a removed policy must not return with other content [FT24].
 */
export function putPolicies(folder: string, files: HomeFiles): void {
  const fresh = `${folder}.new-${process.pid}`;
  try {
    files.remove(fresh);
    files.makeFolder(fresh);
    for (const [name, text] of Object.entries(SHIPPED_POLICIES)) {
      files.write(`${fresh}/${name}`, text);
      files.flush(`${fresh}/${name}`);
    }
    files.flush(fresh);
    files.rename(fresh, folder);
  } catch (error) {
    // Another engine may have been faster: then its folder is kept.
    if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) throw error;
    files.remove(fresh);
  }
}

/**
 * Writes the shipped text into policies that a power cut emptied because an earlier version had not
 * flushed them. Only in a home that was never completed, and only files that were not written since
 * the folder was made: all others are the user's [FT24].
 *
 * @returns names of the files that were written
 * @throws BulkheadError `config_invalid` naming an empty file that may have been the user's
 */
export function refillPolicies(folder: string, files: HomeFiles): readonly string[] {
  const made = lstatSync(folder).birthtimeMs;
  const empty = Object.entries(SHIPPED_POLICIES).filter(
    ([name]) => lstatSync(`${folder}/${name}`, { throwIfNoEntry: false })?.size === 0,
  );
  for (const [name, text] of empty) {
    const path = `${folder}/${name}`;
    const { birthtimeMs, mtimeMs } = lstatSync(path);
    const isOurs = [birthtimeMs, mtimeMs].every((time) => Math.abs(time - made) < MADE_TOGETHER_MS);
    if (!isOurs) throw emptyPolicy(path);
    files.remove(`${path}.new`);
    files.write(`${path}.new`, text);
    files.flush(`${path}.new`);
    files.rename(`${path}.new`, path);
  }
  for (const name of readdirSync(folder)) files.flush(`${folder}/${name}`);
  files.flush(folder);
  return empty.map(([name]) => name);
}

/**
 * For an empty policy file: a power cut may have emptied it, and a guess of its content may allow
 * too much.
 */
export function emptyPolicy(path: string): BulkheadError {
  const preset = basename(path, '.yaml');
  const fix = Object.hasOwn(presetPolicies, preset)
    ? `Restore it from a backup, or put the shipped one there: \`bulkhead policy show ${preset} --preset > ${path}\`.`
    : `Restore it from a backup, or delete it if it had no rules of yours: ${path}.`;
  return new BulkheadError('config_invalid', `the policy ${path} is empty`, { fix, details: { path } });
}

/**
 * Removes the remains of interrupted attempts. Call once the folder exists: another process that is
 * making it then gives way.
 */
export function removeLeftovers(folder: string, files: HomeFiles): void {
  const parent = dirname(folder);
  const prefix = `${basename(folder)}.new-`;
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(prefix) || !/^\w+$/.test(name.slice(prefix.length))) continue;
    const stat = lstatSync(`${parent}/${name}`, { throwIfNoEntry: false });
    if (stat?.isDirectory() === true && stat.uid === (process.getuid?.() ?? stat.uid))
      files.remove(`${parent}/${name}`);
  }
}
