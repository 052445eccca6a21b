/*
 * The shield without an engine: `shield eval` judges cases, nothing is executed and nothing is kept. Apart from the client's
 * own door: it brings parsers and tables along, which no other command should pay for.
 */
export { shippedFlow } from '@bulkhead/actions/flow/read-flow-policy';
export {
  type FlowPolicy,
  overlayFlowPolicy,
  type PresetName,
  parseFlowPolicy,
  parsePolicy,
  presetPolicies,
} from '@bulkhead/shield';
export {
  type CaseJudge,
  type CaseLine,
  classifierOnDemand,
  type EvalCase,
  type EvalStep,
  type EvaluationSettings,
  judgeCase,
  openEvaluation,
  parseEvalCase,
  readToolDefinitions,
} from '@bulkhead/shield/analysis';
export { type ArgumentsFit, argumentsFit } from './arguments-fit.ts';
