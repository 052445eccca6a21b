/** The texts written to a new home, without their parsers. */
export { defaultFlowPolicy } from './annotations/default-flow-policy.ts';
export { presetPolicies } from './policy/presets.ts';
