/**
 * The vocabulary for counts that no provider supplied: OpenAI's of 2024 and later. Other providers'
 * counts differ by up to a fifth.
 */
export const VOCABULARY = 'o200k_base';
