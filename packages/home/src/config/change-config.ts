import { BulkheadError, type HomeLayout } from '@bulkhead/protocol';
import { findConfigKey, keyPath } from './config-keys.ts';
import { editYaml, type YamlEdit } from './file/edit-yaml.ts';
import { lockHome } from './file/lock-home.ts';
import { replaceFile } from './file/replace-file.ts';
import { parseConfig, readConfigText } from './load-config.ts';
import { missingKeys } from './missing-keys.ts';
import { parseValue } from './parse-value.ts';

/** One change of `config.yaml`; without a value the key is removed. */
export interface ConfigChange {
  /** Dotted; places in lists are numbers from 0. */
  readonly key: string;
  /** As typed. */
  readonly value?: string;
}

/**
 * Changes `config.yaml`, all changes or none. The result is checked as a whole before it replaces
 * the file; else the file stays unchanged. Concurrent changes wait for one another.
 *
 * @returns false if the file already had these values
 * @throws BulkheadError `usage` for a key that is unknown or a value that can't be read,
 *   `config_invalid` if the result would not be valid or the file isn't YAML, `busy`,
 *   `not_available`
 */
export function changeConfig(layout: HomeLayout, changes: readonly ConfigChange[]): boolean {
  const edits = changes.map(toEdit);
  using _lock = lockHome(layout);
  const before = readConfigText(layout.config);
  const after = edited(before, layout.config, edits);
  parseResult(after, layout.config, changes);
  if (after === before) return false;
  // An empty file would look like one that a power cut has emptied.
  replaceFile(layout.config, after === '' ? '\n' : after);
  return true;
}

function toEdit({ key, value }: ConfigChange): YamlEdit {
  const known = findConfigKey(key);
  if (known === undefined) {
    throw new BulkheadError('usage', `unknown key "${key}"`, { fix: 'See `bulkhead config schema`.' });
  }
  const path = keyPath(key);
  return value === undefined
    ? { path, kind: 'unset' }
    : { path, kind: 'set', value: parseValue(value, { ...known, key }) };
}

function edited(text: string, path: string, edits: readonly YamlEdit[]): string {
  try {
    return editYaml(text, edits);
  } catch (cause) {
    // Why the text can't be edited: most likely it is no YAML, and that error names the line.
    parseConfig(text, path);
    const reason = cause instanceof RangeError ? cause.message : 'it could not be read';
    throw new BulkheadError('config_invalid', `${path} was not changed: ${reason}`, {
      fix: 'Set the whole group or list at once, or edit the file by hand.',
      cause,
    });
  }
}

/** An error's position would refer to a text that the user has never seen. */
function parseResult(text: string, path: string, changes: readonly ConfigChange[]): void {
  try {
    parseConfig(text, path);
  } catch (cause) {
    if (!BulkheadError.is(cause)) throw cause;
    const what = cause.message.replace(/^.*?:\d+:\d+: /, '');
    throw new BulkheadError('config_invalid', `${path} was not changed, it would not be valid: ${what}`, {
      fix: resultFix(missingKeys(text), changes),
      cause,
    });
  }
}

function resultFix(missing: readonly string[], changes: readonly ConfigChange[]): string {
  if (missing.length === 0)
    return 'docs/configuration.md and `bulkhead config schema` say what each key takes.';
  const set = changes.flatMap(({ key, value }) => (value === undefined ? [] : [key]));
  const keys = [...new Set([...set, ...missing])].map((key) => `${key} VALUE`);
  return `Keys that need one another are set at once: bulkhead config set ${keys.join(' ')}`;
}
