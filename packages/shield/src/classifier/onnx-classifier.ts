import { BulkheadError, describeError } from '@bulkhead/protocol';
import * as z from 'zod';
import type { TextClassifier } from './text-classifier.ts';
import { textWindows } from './text-windows.ts';

/** The used part of `onnxruntime-node`; the package itself is not a dependency of this one. */
interface OnnxRuntime {
  readonly InferenceSession: { create(modelFile: string): Promise<OnnxSession> };
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dimensions: readonly number[]) => object;
}

interface OnnxSession {
  readonly outputNames: readonly string[];
  run(feeds: Readonly<Record<string, object>>): Promise<Readonly<Record<string, { readonly data: unknown }>>>;
}

export interface OnnxOptions {
  /**
   * A sequence classifier with the inputs `input_ids` and `attention_mask`, and two logits:
   * ordinary, instructing.
   */
  readonly modelFile: string;
  /** Returns the ids of a text's tokens, as in the model's training; cut to its longest input. */
  readonly tokenise: (text: string) => readonly number[];
  readonly threshold: number;
  /** The module of the package `onnxruntime-node`. */
  readonly runtime: unknown;
}

const runtimeShape = z.custom<OnnxRuntime>(
  (value) => typeof value === 'object' && value !== null && 'InferenceSession' in value && 'Tensor' in value,
);
const logitsShape = z.custom<Float32Array>((value) => value instanceof Float32Array && value.length >= 2);

/**
 * A larger classifier, where a model is configured.
 *
 * @throws BulkheadError `config_invalid` if the runtime is invalid or the model can't be opened
 */
export async function loadOnnxClassifier(options: OnnxOptions): Promise<TextClassifier> {
  const runtime = runtimeOf(options.runtime);
  const session = await openModel(runtime, options.modelFile);
  return {
    name: 'onnx',
    threshold: options.threshold,
    async probability(text) {
      let highest = 0;
      for (const window of textWindows(text)) {
        highest = Math.max(highest, await windowProbability(window, runtime, session, options));
      }
      return highest;
    },
  };
}

function runtimeOf(value: unknown): OnnxRuntime {
  const runtime = runtimeShape.safeParse(value);
  if (runtime.success) return runtime.data;
  throw new BulkheadError('config_invalid', 'what stands for onnxruntime-node is something else', {
    fix: 'Install onnxruntime-node beside the model.',
  });
}

async function openModel(runtime: OnnxRuntime, modelFile: string): Promise<OnnxSession> {
  try {
    return await runtime.InferenceSession.create(modelFile);
  } catch (error) {
    throw new BulkheadError(
      'config_invalid',
      `the classifier's model can't be opened: ${describeError(error)}`,
      {
        fix: 'Give the path of an ONNX file that the runtime can read',
        cause: error,
      },
    );
  }
}

async function windowProbability(
  text: string,
  runtime: OnnxRuntime,
  session: OnnxSession,
  { tokenise }: OnnxOptions,
): Promise<number> {
  const ids = tokenise(text);
  const tensor = (values: readonly number[]) =>
    new runtime.Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length]);
  const results = await session.run({ input_ids: tensor(ids), attention_mask: tensor(ids.map(() => 1)) });
  const [ordinary = 0, instructing = 0] = logitsShape.parse(results[session.outputNames[0] ?? '']?.data);
  return 1 / (1 + Math.exp(ordinary - instructing));
}
