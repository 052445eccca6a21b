/*
 * What the CLI needs to show and to test policies where no engine runs. Apart from the client's own door, as `config` is: it
 * brings the policy language along.
 */

export { policyJsonSchemaText } from '@bulkhead/shield';
export { createParseCommand } from '@bulkhead/shield/analysis';
export { type LaterAnswer, openLaterTiers } from '../config/policy/later-tiers.ts';
export { listPolicies, type PolicyRow } from '../config/policy/list-policies.ts';
export { readNamedPolicy } from '../config/policy/named-policy.ts';
export {
  type PolicyAnswer,
  type PolicyQuestion,
  questionAction,
  readQuestion,
  testPolicy,
} from '../config/policy/test-policy.ts';
