import { readdirSync } from 'node:fs';
import { readText } from '@bulkhead/home/config/file/read-text';
import { loadConfig } from '@bulkhead/home/config/load-config';
import { FLOW_POLICY_FILE } from '@bulkhead/home/folder/flow-policy-file';
import { BulkheadError, type HomeLayout } from '@bulkhead/protocol';
import { parsePolicy, presetPolicies } from '@bulkhead/shield';
import { ALWAYS_FILE, parseAlways } from './always-file.ts';

/** One policy of a home, or one that comes with the product and isn't in this home. */
export interface PolicyRow {
  readonly name: string;
  /** `in force`: the configuration names it. `answered`: what was answered for good, with any policy. */
  readonly state: 'in force' | 'answered' | 'there' | 'preset, not in this home';
  /** Rules in each list; absent for one that isn't valid. */
  readonly rules?: { readonly deny: number; readonly verify: number; readonly allow: number };
  /** Why it isn't valid. */
  readonly problem?: string;
}

/** By name; the policy in force is there even where its file isn't. */
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

/** What tools do is no tier 0 policy, though it lies beside them. */
function isPolicy(file: string): boolean {
  return file.endsWith('.yaml') && file !== FLOW_POLICY_FILE;
}

/** Without `.yaml`. A home that was never used has none. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).flatMap((file) => (isPolicy(file) ? [file.slice(0, -5)] : []));
  } catch {
    return [];
  }
}
