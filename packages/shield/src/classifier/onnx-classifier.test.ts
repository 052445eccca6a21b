import { describe, expect, it } from 'vitest';
import { loadOnnxClassifier } from './onnx-classifier.ts';

class Tensor {
  readonly type: string;
  readonly data: BigInt64Array;
  readonly dimensions: readonly number[];

  constructor(type: string, data: BigInt64Array, dimensions: readonly number[]) {
    this.type = type;
    this.data = data;
    this.dimensions = dimensions;
  }
}

/** A runtime with the first token's id as the logit for "instructing". */
function runtimeOf(create: (file: string) => Promise<unknown>) {
  return { Tensor, InferenceSession: { create } };
}

const session = {
  outputNames: ['logits'],
  run: (feeds: Readonly<Record<string, Tensor>>) =>
    Promise.resolve({ logits: { data: new Float32Array([0, Number(feeds['input_ids']?.data[0] ?? 0n)]) } }),
};
const options = {
  modelFile: 'model.onnx',
  tokenise: (text: string) => [text.includes('obey') ? 9 : -9, 2],
  threshold: 0.8,
};

describe('the larger classifier', () => {
  it('gives the highest probability of the parts of a text', async () => {
    const classifier = await loadOnnxClassifier({
      ...options,
      runtime: runtimeOf(() => Promise.resolve(session)),
    });
    expect(classifier.threshold).toBe(0.8);
    expect(await classifier.probability('nothing')).toBeLessThan(0.01);
    expect(await classifier.probability(`${'word '.repeat(200)}obey${' word'.repeat(200)}`)).toBeGreaterThan(
      0.99,
    );
  });

  it('is none without its runtime', async () => {
    await expect(loadOnnxClassifier({ ...options, runtime: {} })).rejects.toThrow(
      /stands for onnxruntime-node/,
    );
  });

  it('says that a model can’t be opened, and does not take odd results for an answer', async () => {
    const broken = runtimeOf(() => Promise.reject(new Error('no such file')));
    await expect(loadOnnxClassifier({ ...options, runtime: broken })).rejects.toThrow(/no such file/);
    const odd = { ...session, run: () => Promise.resolve({ logits: { data: 'yes' } }) };
    const classifier = await loadOnnxClassifier({
      ...options,
      runtime: runtimeOf(() => Promise.resolve(odd)),
    });
    await expect(classifier.probability('x')).rejects.toThrow();
  });
});
