/*
 * The shield without an engine: `shield eval` evaluates cases; nothing is executed or stored. Apart
 * from the client's own entry point: it includes parsers and tables, which no other command should
 * load.
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
