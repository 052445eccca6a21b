/*
 * Functions of the CLI for showing and testing policies without an engine. Apart from the client's
 * own entry point, as `config` is: it includes the policy language.
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
