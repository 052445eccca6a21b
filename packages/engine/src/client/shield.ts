/*
 * The shield without an engine: `shield eval` judges cases, nothing is executed and nothing is kept. Apart from the client's
 * own door: it brings parsers and tables along, which no other command should pay for.
 */
export {
  type CaseJudge,
  type CaseLine,
  type EvalCase,
  judgeCase,
  openEvaluation,
  type PresetName,
  parseEvalCase,
  parsePolicy,
  presetPolicies,
} from '@bulkhead/shield';
