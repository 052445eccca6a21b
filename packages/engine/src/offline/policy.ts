/*
 * What the CLI needs to show and to test policies where no engine runs. Apart from the client's own door, as `config` is: it
 * brings the policy language along.
 */

export { type LaterAnswer, openLaterTiers } from '@bulkhead/actions/policy/later-tiers';
export { listPolicies, type PolicyRow } from '@bulkhead/actions/policy/list-policies';
export { readNamedPolicy } from '@bulkhead/actions/policy/named-policy';
export {
  type PolicyAnswer,
  type PolicyQuestion,
  questionAction,
  readQuestion,
  testPolicy,
} from '@bulkhead/actions/policy/test-policy';
export { policyJsonSchemaText } from '@bulkhead/shield';
export { createCommandReadings } from '@bulkhead/shield/analysis';
