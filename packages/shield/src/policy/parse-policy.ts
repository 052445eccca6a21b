import type { BulkheadError } from '@bulkhead/protocol';
import { readStrictYaml } from '@bulkhead/protocol/strict-yaml';
import type { Policy, PolicyList } from './policy.ts';
import { policySchema } from './policy-schema.ts';

/**
 * Reads a policy file. Strict: an unknown or doubled key, an anchor, alias or tag, an empty `match` and
 * text over 256 KiB are errors.
 * @param fileName for messages only
 * @throws BulkheadError `config_invalid` naming file, line and column
 */
export function parsePolicy(text: string, fileName: string): Policy {
  const fix = 'Mend the policy; until then nothing is allowed by it.';
  const { value, fail } = readStrictYaml(text, fileName, policySchema, { fix });
  const { version, name, rules } = value;
  const policy: Policy = {
    version,
    name,
    deny: rules.deny,
    verify: rules.verify.map(({ by: _, ...rule }) => rule),
    allow: rules.allow,
  };
  checkNames(policy, fail);
  return policy;
}

function checkNames(policy: Policy, fail: (path: (string | number)[], what: string) => BulkheadError): void {
  const seen = new Set<string>();
  const lists: readonly PolicyList[] = ['deny', 'verify', 'allow'];
  for (const list of lists) {
    for (const [index, { name }] of policy[list].entries()) {
      if (seen.has(name)) {
        throw fail(['rules', list, index, 'name'], `the rule name ${JSON.stringify(name)} is there twice`);
      }
      seen.add(name);
    }
  }
}
