import { type LinearModel, probabilityOf } from './linear-model.ts';
import type { TextClassifier } from './text-classifier.ts';
import { textWindows } from './text-windows.ts';

/**
 * A classifier of this process: some tens of microseconds for a few sentences, linear in the text.
 */
export function createLinearClassifier(model: LinearModel): TextClassifier {
  return {
    name: 'linear',
    threshold: model.threshold,
    probability: (text) => Promise.resolve(highestProbability(text, model)),
  };
}

/** @returns the highest probability among the parts of the text */
export function highestProbability(text: string, model: LinearModel): number {
  let highest = 0;
  for (const window of textWindows(text)) highest = Math.max(highest, probabilityOf(window, model));
  return highest;
}
