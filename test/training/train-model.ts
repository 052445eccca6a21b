import type { LinearModel } from '@bulkhead/shield/classifier/testing';
import { FEATURE_BITS, featuresOf, textWindows } from '@bulkhead/shield/classifier/testing';
import { seededRandom, shuffled } from './random.ts';
import type { LabelledText } from './training-texts.ts';

const SEED = 7;
const EPOCHS = 6;
const RATE = 0.3;
/** Reduces weights at each step they are used, so that no single rare word decides. */
const DECAY = 1e-4;

/**
 * Logistic regression by AdaGrad (Duchi et al. 2011), one text at a time, in an order that a seed
 * gives; then eight bits for each weight. The same texts give the same model, byte for byte.
 *
 * @param threshold kept in the model, chosen by the caller
 */
export function trainModel(texts: readonly LabelledText[], threshold: number, epochs = EPOCHS): LinearModel {
  const samples = texts.map(({ text, instructs }) => ({
    features: textWindows(text).map(featuresOf),
    target: instructs ? 1 : 0,
  }));
  const random = seededRandom(SEED);
  const state = {
    weights: new Float64Array(1 << FEATURE_BITS),
    squares: new Float64Array(1 << FEATURE_BITS),
    bias: 0,
  };
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    for (const { features, target } of shuffled(samples, random))
      learn(state, highest(state, features), target);
  }
  return quantised(state, threshold);
}

interface Learner {
  readonly weights: Float64Array;
  readonly squares: Float64Array;
  bias: number;
}

/** The strongest part of a text: the instruction itself, or the part to unlearn. */
function highest(state: Learner, windows: readonly Uint32Array[]): Uint32Array {
  return windows.reduce(
    (best, next) => (logitOf(state, next) > logitOf(state, best) ? next : best),
    windows[0] ?? new Uint32Array(),
  );
}

function logitOf({ weights, bias }: Learner, features: Uint32Array): number {
  let sum = 0;
  for (const feature of features) sum += weights[feature] ?? 0;
  return bias + sum / Math.sqrt(Math.max(1, features.length));
}

function learn(state: Learner, features: Uint32Array, target: number): void {
  const error = 1 / (1 + Math.exp(-logitOf(state, features))) - target;
  const gradient = error / Math.sqrt(Math.max(1, features.length));
  for (const feature of features) {
    const weight = state.weights[feature] ?? 0;
    const slope = gradient + DECAY * weight;
    const square = (state.squares[feature] ?? 0) + slope * slope;
    state.squares[feature] = square;
    state.weights[feature] = weight - (RATE * slope) / (Math.sqrt(square) + 1e-3);
  }
  state.bias -= 0.02 * error;
}

function quantised({ weights, bias }: Learner, threshold: number): LinearModel {
  const largest = weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 1e-9);
  // Rounded, so that the number's text is short and equal everywhere.
  const step = Number((largest / 127).toPrecision(6));
  return {
    weights: Int8Array.from(weights, (weight) => Math.max(-127, Math.min(127, Math.round(weight / step)))),
    step,
    bias: Number(bias.toPrecision(6)),
    threshold,
  };
}
