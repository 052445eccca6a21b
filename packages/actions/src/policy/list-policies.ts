import { readdirSync } from 'node:fs';
import { readText } from '@bulkhead/home/config/file/read-text';
import { loadConfig } from '@bulkhead/home/config/load-config';
import { FLOW_POLICY_FILE } from '@bulkhead/home/folder/flow-policy-file';
import { BulkheadError, type HomeLayout } from '@bulkhead/protocol';
import { parsePolicy, presetPolicies } from '@bulkhead/shield';
import { ALWAYS_FILE, parseAlways } from './always-file.ts';

/** A policy of a home, or a shipped policy that this home lacks. */
export interface PolicyRow {
  readonly name: string;
  /**
   * `in force`: the configuration names it. `answered`: the permanent approvals, used with any
   * policy.
   */
  readonly state: 'in force' | 'answered' | 'there' | 'preset, not in this home';
  /** Rules in each list; absent for an invalid policy. */
  readonly rules?: { readonly deny: number; readonly verify: number; readonly allow: number };
  /** Why it is invalid. */
  readonly problem?: string;
}

/** Sorted by name; includes the policy in force even if its file is missing. */
export function listPolicies(layout: HomeLayout): readonly PolicyRow[] {
  const inForce = loadConfig(layout.config).policy;
  const files = namesIn(layout.policies);
  const names = new Set([...files, inForce, ...Object.keys(presetPolicies)]);
  return [...names].sort().map((name) => {
    const isThere = files.includes(name);
    const answered = `${name}.yaml` === ALWAYS_FILE;
    if (!isThere && name !== inForce) return { name, state: 'preset, not in this home' };
    const state = answered ? 'answered' : name === inForce ? 'in force' : 'there';
    return { name, state, ...contentOf(`${layout.policies}/${name}.yaml`, answered) };
  });
}

function contentOf(path: string, answered: boolean): Pick<PolicyRow, 'rules' | 'problem'> {
  try {
    const text = readText(path);
    if (text === undefined) return { problem: 'the file is not there' };
    const { deny, verify, allow } = answered ? parseAlways(text, path) : parsePolicy(text, path);
    return { rules: { deny: deny.length, verify: verify.length, allow: allow.length } };
  } catch (error) {
    return { problem: BulkheadError.from(error).message };
  }
}

/** Tool annotations are not a tier 0 policy, although they are in the same folder. */
function isPolicy(file: string): boolean {
  return file.endsWith('.yaml') && file !== FLOW_POLICY_FILE;
}

/** Without `.yaml`. Empty for a home that was never used. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).flatMap((file) => (isPolicy(file) ? [file.slice(0, -5)] : []));
  } catch {
    return [];
  }
}
