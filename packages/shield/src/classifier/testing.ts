/** The parts of the classifier that the training program uses, outside the product. */

export { SHIPPED_MODEL } from '../gen/shipped-model.ts';
export { highestProbability } from './linear-classifier.ts';
export type { EncodedModel, LinearModel } from './linear-model.ts';
export { FEATURE_BITS, featuresOf } from './text-features.ts';
export { textWindows } from './text-windows.ts';
