import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Config } from '@bulkhead/home/config/config-schema';
import { BulkheadError, describeError } from '@bulkhead/protocol';
import type { TextClassifier } from '@bulkhead/shield/analysis';

/** For the shipped classifier; larger ones use another scale and return fewer borderline values. */
const THRESHOLD = 0.95;
const PACKAGES = ['onnxruntime-node', '@huggingface/tokenizers'] as const;

/**
 * Opens the configured classifier: none, the shipped one (loaded at first use), or the model in a
 * folder (loaded now).
 *
 * @throws BulkheadError `config_invalid` for an unusable model: a configured model is never skipped
 */
export async function openClassifier({
  classifier,
  model,
  threshold = THRESHOLD,
}: Config['shield']): Promise<(() => Promise<TextClassifier>) | undefined> {
  if (classifier === 'off') return undefined;
  const { classifierOnDemand, loadOnnxClassifier, loadTokeniser } = await import('@bulkhead/shield/analysis');
  if (model === undefined) return classifierOnDemand();
  const [runtime, tokenisers] = PACKAGES.map((name) => packageIn(model, name));
  const [tokeniser, config] = ['tokenizer.json', 'tokenizer_config.json'].map((name) =>
    readObject(join(model, name)),
  );
  const tokenise = loadTokeniser(tokenisers, tokeniser ?? {}, config ?? {});
  const opened = await loadOnnxClassifier({
    modelFile: join(model, 'model.onnx'),
    tokenise,
    threshold,
    runtime,
  });
  return () => Promise.resolve(opened);
}

/** A package installed in the model's folder, or above it. */
function packageIn(folder: string, name: string): unknown {
  try {
    return createRequire(join(folder, 'package.json'))(name);
  } catch (cause) {
    throw unusable(
      `${name} can't be loaded from ${folder}`,
      cause,
      `cd ${folder} && npm install ${PACKAGES.join(' ')}`,
    );
  }
}

function readObject(path: string): object {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof value === 'object' && value !== null) return value;
    throw new TypeError('it holds no object');
  } catch (cause) {
    throw unusable(
      `${path} can't be read (${describeError(cause)})`,
      cause,
      'put the file of that model there',
    );
  }
}

function unusable(what: string, cause: unknown, mend: string): BulkheadError {
  const fix = `Do ${mend}; or take shield.model out of config.yaml.`;
  return new BulkheadError('config_invalid', `the classifier's model can't be used: ${what}`, { cause, fix });
}
