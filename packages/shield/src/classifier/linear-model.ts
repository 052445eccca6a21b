import { Buffer } from 'node:buffer';
import { BulkheadError } from '@bulkhead/protocol';
import { FEATURE_BITS, featuresOf } from './text-features.ts';

/** A logistic model over hashed features. */
export interface LinearModel {
  /** One for each feature, in steps of `step`. */
  readonly weights: Int8Array;
  readonly step: number;
  readonly bias: number;
  /** Probability above which a text counts as found. */
  readonly threshold: number;
}

/** Its stored form: numbers in JSON, weights in base64. */
export interface EncodedModel {
  readonly version: 1;
  readonly bits: number;
  readonly step: number;
  readonly bias: number;
  readonly threshold: number;
  readonly weights: string;
}

/**
 * The part of the logit from a text's own features: their weights, divided by the root of their
 * number, so that long and short texts compare.
 */
export function probabilityOf(text: string, model: LinearModel): number {
  const features = featuresOf(text);
  let sum = 0;
  for (let at = 0; at < features.length; at += 1) sum += model.weights[features[at] ?? 0] ?? 0;
  const logit = model.bias + (sum * model.step) / Math.sqrt(Math.max(1, features.length));
  return 1 / (1 + Math.exp(-logit));
}

/**
 * @throws BulkheadError `config_invalid` for a model whose shape does not match this program's
 * features
 */
export function decodeModel(encoded: EncodedModel): LinearModel {
  const bytes = Buffer.from(encoded.weights, 'base64');
  if (encoded.version !== 1 || encoded.bits !== FEATURE_BITS || bytes.length !== 1 << FEATURE_BITS) {
    throw new BulkheadError('config_invalid', 'the classifier’s model does not fit this program', {
      fix: 'Train it again: npm run train',
    });
  }
  const weights = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  return { weights, step: encoded.step, bias: encoded.bias, threshold: encoded.threshold };
}
