import { countTokens as countPiece } from 'gpt-tokenizer/encoding/o200k_base';

/** Longer runs without a border of words are counted in parts: the time for one grows with its square. */
const LONG = /\S{401,}|\s{401,}/g;
const PART = 200;
/** A text is a text, also where it spells what the vocabulary uses as a sign of its own. */
const AS_TEXT = { disallowedSpecial: new Set<string>() };

/** Tokens of a text; in a run without borders, one too many every 200 characters at most. */
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
