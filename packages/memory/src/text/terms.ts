import { irregularForms } from './irregular-forms.ts';
import { stem } from './stem.ts';
import { words } from './words.ts';

const IRREGULAR = irregularForms();

/** Words as the index knows them: lower case, accents folded, stemmed, in order; common words included. */
export function terms(text: string): string[] {
  return words(text).map(term);
}

/** @param word - One of {@link words}. */
export function term(word: string): string {
  return stem(IRREGULAR.get(word) ?? word);
}
