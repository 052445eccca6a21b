import { createLinearClassifier } from './linear-classifier.ts';
import { decodeModel } from './linear-model.ts';
import type { TextClassifier } from './text-classifier.ts';

/** The classifier that comes with the product. Its model is read when it is first asked for. */
export async function loadClassifier(): Promise<TextClassifier> {
  const { SHIPPED_MODEL } = await import('../gen/shipped-model.ts');
  return createLinearClassifier(decodeModel(SHIPPED_MODEL));
}
