/*
 * Tier 1, the classifier and the evaluation of recorded cases. A separate entry point: they load a
 * parser and program tables, which a program that only reads a policy does not need.
 */

export {
  type AnalysisSettings,
  createAnalysis,
} from './analysis/analysis-tier.ts';
export { analyseArguments } from './analysis/arguments/analyse-arguments.ts';
export type { ArgumentOptions, CommandJudge, JudgedCall } from './analysis/arguments/judged-call.ts';
export {
  analyseCommand,
  type CommandAnalysis,
  type CommandAnalysisOptions,
  readCommand,
} from './analysis/command/analyse-command.ts';
export type { CommandPlace } from './analysis/command/command-place.ts';
export { type CommandReadings, createCommandReadings } from './analysis/command/command-readings.ts';
export type { Effect, Verb } from './analysis/effects/effect.ts';
export type { Finding } from './analysis/effects/finding.ts';
export { listedPlacesIn, mayMean, meaningOfPath } from './analysis/effects/meaning-of-path.ts';
export type { Overlay, Place, Zone } from './analysis/effects/place.ts';
export type { AnalysisPreset } from './analysis/effects/rule-table.ts';
export { classifierOnDemand, loadClassifier } from './classifier/load-classifier.ts';
export { loadTokeniser } from './classifier/load-tokeniser.ts';
export { loadOnnxClassifier, type OnnxOptions } from './classifier/onnx-classifier.ts';
export type { TextClassifier } from './classifier/text-classifier.ts';
export { type EvalCase, type EvalStep, parseEvalCase } from './evaluation/eval-case.ts';
export { type CaseJudge, type CaseLine, judgeCase, type StepLine } from './evaluation/judge-case.ts';
export { type EvaluationSettings, openEvaluation } from './evaluation/open-evaluation.ts';
export { readToolDefinitions } from './evaluation/tool-definitions.ts';
