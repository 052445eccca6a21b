import { irregularForms } from './irregular-forms.ts';
import { stem } from './stem.ts';
import { words } from './words.ts';

const IRREGULAR = irregularForms();

/** Words as in the index: lower case, accents folded, stemmed, in order; including common words. */
export function terms(text: string): string[] {
  return words(text).map(term);
}

/** @param word - One of {@link words}. */
export function term(word: string): string {
  return stem(IRREGULAR.get(word) ?? word);
}
