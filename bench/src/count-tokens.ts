/** Counts tokens in the vocabulary of OpenAI's current models. */
export { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

/** Says in the result how tokens were counted. */
export const TOKENS_COUNTED_BY = 'o200k_base';
