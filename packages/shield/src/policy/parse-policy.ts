import type { BulkheadError } from '@bulkhead/protocol';
import { readStrictYaml } from '@bulkhead/protocol/strict-yaml';
import type { Policy } from './policy.ts';
import { policySchema } from './policy-schema.ts';

/**
 * Reads a policy file. Strict: an unknown or doubled key, an anchor, alias or tag, an empty `match`
 * and text over 256 KiB are errors.
 * @param fileName for messages only
 * @param digest SHA-256, hex, which identifies the policy in the audit log
 * @throws BulkheadError `config_invalid` naming file, line and column
 */
export function parsePolicy(text: string, fileName: string, digest = ''): Policy {
  const fix =
    'Correct the policy. A running engine keeps the last valid one; no engine starts with this one.';
  const { value, fail } = readStrictYaml(text, fileName, policySchema, { fix });
  const { version, name, rules } = value;
  const policy: Policy = { version, name, digest, answered: [], ...rules };
  checkNames(policy, fail);
  return policy;
}

function checkNames(policy: Policy, fail: (path: (string | number)[], what: string) => BulkheadError): void {
  const seen = new Set<string>();
  for (const list of ['deny', 'verify', 'allow'] as const) {
    for (const [index, { name }] of policy[list].entries()) {
      if (seen.has(name)) {
        throw fail(['rules', list, index, 'name'], `the rule name ${JSON.stringify(name)} is there twice`);
      }
      seen.add(name);
    }
  }
}
