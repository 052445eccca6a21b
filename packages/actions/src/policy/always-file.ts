import { existsSync, readFileSync } from 'node:fs';
import { editYaml } from '@bulkhead/home/config/file/edit-yaml';
import { lockHome } from '@bulkhead/home/config/file/lock-home';
import { replaceFile } from '@bulkhead/home/config/file/replace-file';
import { BulkheadError, type HomeLayout } from '@bulkhead/protocol';
import { type Policy, parsePolicy } from '@bulkhead/shield';
import { parseDocument } from 'yaml';
import type { AnsweredRule } from '../approvals/answered-rule.ts';

/** The file of permanent approvals: a policy of allow rules that its owner may read and edit. */
export const ALWAYS_FILE = 'always.yaml';

const EMPTY = `# What you have answered with "always". Each rule allows exactly one thing without asking you again, after the deny
# rules of your policy and before its verify rules. Take a rule away, and you are asked again.
version: 1
name: always
rules:
  deny: []
  verify: []
  allow: []
`;

/**
 * @param text content of the file
 * @throws BulkheadError `config_invalid` naming file, place and mistake, also for a list other than
 * allow
 */
export function parseAlways(text: string, path: string): Policy {
  const policy = parsePolicy(text, path);
  const { deny, verify, allow } = policy;
  if (deny.length === 0 && verify.length === 0 && allow.every(({ minTier }) => minTier === 0)) return policy;
  throw new BulkheadError('config_invalid', `${path}: only allow rules without minTier stand here`, {
    fix: 'Put other rules into your policy.',
  });
}

/**
 * Adds a rule to the file, unless it exists. The file is read and written whole, under the lock of
 * the home.
 * @throws BulkheadError if the file is invalid, or cannot be written; it is unchanged then
 */
export function addAlwaysRule(layout: HomeLayout, rule: AnsweredRule): void {
  const path = `${layout.policies}/${ALWAYS_FILE}`;
  using _lock = lockHome(layout);
  const text = existsSync(path) ? readFileSync(path, 'utf8') : EMPTY;
  const { allow } = parseAlways(text, path);
  if (allow.some(({ name }) => name === rule.name)) return;
  const { name, match, reason } = rule;
  // The reason comes last, as in every policy.
  const value = parseDocument(JSON.stringify({ name, match, reason })).contents;
  if (value === null) throw new BulkheadError('internal', 'the rule has no text');
  const changed = editYaml(text, [{ kind: 'set', path: ['rules', 'allow', allow.length], value }]);
  parseAlways(changed, path);
  replaceFile(path, changed);
}
