/** The texts that a new home gets, without what reads them. */
export { defaultFlowPolicy } from './annotations/default-flow-policy.ts';
export { presetPolicies } from './policy/presets.ts';
