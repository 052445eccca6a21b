/** Says in the result how tokens were counted. */
export const TOKENS_COUNTED_BY = 'estimate: a quarter of the characters';

/** English and JSON run to about four characters a token in today's vocabularies. */
export function countTokens(text: string): number {
  return Math.ceil(text.length / 4);
}
