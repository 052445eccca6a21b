import { countTokens as countPiece } from 'gpt-tokenizer/encoding/o200k_base';

/**
 * Longer runs without a word boundary are counted in parts, because the time grows with the square
 * of the length.
 */
const LONG = /\S{401,}|\s{401,}/g;
const PART = 200;
/** Text is only text, even if it spells a special token of the vocabulary. */
const AS_TEXT = { disallowedSpecial: new Set<string>() };

/** Tokens of a text; for a run without boundaries, at most one too many per 200 characters. */
export function countTokens(text: string): number {
  let tokens = 0;
  let counted = 0;
  for (const { 0: run, index } of text.matchAll(LONG)) {
    tokens += countPiece(text.slice(counted, index), AS_TEXT);
    for (let at = 0; at < run.length; at += PART) tokens += countPiece(run.slice(at, at + PART), AS_TEXT);
    counted = index + run.length;
  }
  return tokens + countPiece(text.slice(counted), AS_TEXT);
}
