import { BulkheadError } from '@bulkhead/protocol';
import * as z from 'zod';

/**
 * The used part of `@huggingface/tokenizers`; the package itself is not a dependency of this one.
 */
interface TokeniserPackage {
  readonly Tokenizer: new (
    tokeniser: object,
    config: object,
  ) => { encode(text: string): { readonly ids: unknown } };
}

const packageShape = z.custom<TokeniserPackage>(
  (value) => typeof value === 'object' && value !== null && 'Tokenizer' in value,
);
const idsShape = z.array(z.int().min(0)).min(1);

/** Longer than the training inputs of such models. */
const MOST_TOKENS = 512;

/**
 * Creates a function from text to a published model's token ids, with begin and end marks.
 *
 * @param from the module of the package `@huggingface/tokenizers`
 * @param tokeniser its `tokenizer.json`
 * @param config its `tokenizer_config.json`
 * @throws BulkheadError `config_invalid` for a file that does not describe a tokeniser
 */
export function loadTokeniser(
  from: unknown,
  tokeniser: object,
  config: object,
): (text: string) => readonly number[] {
  try {
    const { Tokenizer } = packageShape.parse(from);
    const made = new Tokenizer(tokeniser, config);
    return (text) => idsShape.parse(made.encode(text).ids).slice(0, MOST_TOKENS);
  } catch (cause) {
    throw new BulkheadError('config_invalid', 'the tokeniser of the classifier’s model can’t be made', {
      fix: 'Put tokenizer.json and tokenizer_config.json of that model beside model.onnx.',
      cause,
    });
  }
}
