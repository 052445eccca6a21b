import { BulkheadError } from '@bulkhead/protocol';
import * as z from 'zod';

/** The part of `@huggingface/tokenizers` that is used; the package itself is no dependency of this one. */
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

/** Longer inputs than models of this kind were trained with. */
const MOST_TOKENS = 512;

/**
 * Turns a text into the tokens' ids of a published model, begin and end marks with them.
 *
 * @param from what the package `@huggingface/tokenizers` gives
 * @param tokeniser its `tokenizer.json`
 * @param config its `tokenizer_config.json`
 * @throws BulkheadError `config_invalid` for a file that describes no tokeniser
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
