import { createLinearClassifier } from './linear-classifier.ts';
import { decodeModel } from './linear-model.ts';
import type { TextClassifier } from './text-classifier.ts';

/** The classifier that comes with the product. Its model is read when it is first asked for. */
export async function loadClassifier(): Promise<TextClassifier> {
  const { SHIPPED_MODEL } = await import('../gen/shipped-model.ts');
  return createLinearClassifier(decodeModel(SHIPPED_MODEL));
}

/** The same for a tier: loaded once, and only if a text comes that it is asked about. */
export function classifierOnDemand(): () => Promise<TextClassifier> {
  let loaded: Promise<TextClassifier> | undefined;
  return () => {
    loaded ??= loadClassifier();
    return loaded;
  };
}
