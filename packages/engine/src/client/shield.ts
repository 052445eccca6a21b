/*
 * The shield without an engine: `shield eval` judges cases, nothing is executed and nothing is kept. Apart from the client's
 * own door: it brings parsers and tables along, which no other command should pay for.
 */
export {
  type CaseJudge,
  type CaseLine,
  defaultFlowPolicy,
  type EvalCase,
  type EvaluationSettings,
  type FlowPolicy,
  judgeCase,
  openEvaluation,
  type PresetName,
  parseEvalCase,
  parseFlowPolicy,
  parsePolicy,
  presetPolicies,
} from '@bulkhead/shield';
