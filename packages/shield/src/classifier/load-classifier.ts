import { createLinearClassifier } from './linear-classifier.ts';
import { decodeModel } from './linear-model.ts';
import type { TextClassifier } from './text-classifier.ts';

/** Loads the shipped classifier. Its model is read on first use. */
export async function loadClassifier(): Promise<TextClassifier> {
  const { SHIPPED_MODEL } = await import('../gen/shipped-model.ts');
  return createLinearClassifier(decodeModel(SHIPPED_MODEL));
}

/** The same for a tier: loaded once, and only when there is a text to classify. */
export function classifierOnDemand(): () => Promise<TextClassifier> {
  let loaded: Promise<TextClassifier> | undefined;
  return () => {
    loaded ??= loadClassifier();
    return loaded;
  };
}
