import { type EncodedModel, FEATURE_BITS, type LinearModel } from '@bulkhead/shield/classifier/testing';
import { evaluateModel, type ModelFigures } from './evaluate-model.ts';
import { trainModel } from './train-model.ts';
import { trainingTexts } from './training-texts.ts';

/**
 * A false alarm costs a person more than a miss, because the boundary does not depend on the
 * classifier.
 */
const THRESHOLD = 0.95;

export interface TrainedModel {
  readonly model: EncodedModel;
  /** On template groups that were not used for training. */
  readonly heldOut: ModelFigures;
  readonly learnedFrom: number;
}

/** The shipped model, from the texts beside this file; always the same. */
export function trainShippedModel(): TrainedModel {
  const texts = trainingTexts('learned');
  const model = trainModel(texts, THRESHOLD);
  return {
    model: encodeModel(model),
    heldOut: evaluateModel(model, trainingTexts('held-out')),
    learnedFrom: texts.length,
  };
}

function encodeModel(model: LinearModel): EncodedModel {
  const { buffer, byteOffset, byteLength } = model.weights;
  return {
    version: 1,
    bits: FEATURE_BITS,
    step: model.step,
    bias: model.bias,
    threshold: model.threshold,
    weights: Buffer.from(buffer, byteOffset, byteLength).toString('base64'),
  };
}
