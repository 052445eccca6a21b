import type { LinearModel } from '@bulkhead/shield/classifier/testing';
import { highestProbability } from '@bulkhead/shield/classifier/testing';

/** How well a model classifies texts, at its threshold. */
export interface ModelFigures {
  readonly precision: number;
  readonly recall: number;
  /** False positives among texts without an instruction. */
  readonly falseAlarms: number;
  readonly texts: number;
}

export function evaluateModel(
  model: LinearModel,
  texts: readonly { readonly text: string; readonly instructs: boolean }[],
): ModelFigures {
  const judged = texts.map(({ text, instructs }) => ({
    instructs,
    found: highestProbability(text, model) > model.threshold,
  }));
  const count = (instructs: boolean, found: boolean) =>
    judged.filter((each) => each.instructs === instructs && each.found === found).length;
  const [hits, misses, alarms, passes] = [
    count(true, true),
    count(true, false),
    count(false, true),
    count(false, false),
  ];
  return {
    precision: hits / Math.max(1, hits + alarms),
    recall: hits / Math.max(1, hits + misses),
    falseAlarms: alarms / Math.max(1, alarms + passes),
    texts: judged.length,
  };
}
