import { commonTerms } from './common-words.ts';
import { dateWords } from './date-words.ts';
import { dateRanges } from './dates.ts';
import { dayOf } from './days.ts';
import { terms } from './terms.ts';
import { wordFamilies } from './word-families.ts';

/** A longer text is not a question. */
const LONGEST_QUERY = 4_000;

/** The content words of a message, for recognizing related texts. */
export class Topic {
  readonly #wanted: ReadonlySet<string>;

  /** @param now the reference time of `last May` */
  constructor(message: string, now: Date) {
    const text = message.slice(0, LONGEST_QUERY);
    const common = commonTerms();
    const content = terms(text).filter((term) => !common.has(term));
    const { relatives } = wordFamilies();
    // A message with a day, or without content words, accepts every hit.
    const isOpen = content.length === 0 || dateRanges(text, dayOf(now)).length > 0;
    this.#wanted = new Set(isOpen ? [] : content.flatMap((term) => [term, ...relatives(term).keys()]));
  }

  /** True if the text has a word of the message, or a related one; common words don't count. */
  isIn(hit: { readonly text: string; readonly heading: string; readonly date: string }): boolean {
    if (this.#wanted.size === 0) return true;
    return terms(`${hit.heading} ${dateWords(hit.date)} ${hit.text}`).some((term) => this.#wanted.has(term));
  }
}
