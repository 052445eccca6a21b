import { commonTerms } from './common-words.ts';
import { dateWords } from './date-words.ts';
import { dateRanges } from './dates.ts';
import { dayOf } from './days.ts';
import { terms } from './terms.ts';
import { wordFamilies } from './word-families.ts';

/** What is longer is a text and not a question. */
const LONGEST_QUERY = 4_000;

/** What a text must have something of, to say anything about a message. */
export class Topic {
  readonly #wanted: ReadonlySet<string>;

  /** @param now what `last May` is relative to */
  constructor(message: string, now: Date) {
    const text = message.slice(0, LONGEST_QUERY);
    const common = commonTerms();
    const content = terms(text).filter((term) => !common.has(term));
    const { relatives } = wordFamilies();
    // A message about days alone, or of common words alone, is about whatever is found.
    const isOpen = content.length === 0 || dateRanges(text, dayOf(now)).length > 0;
    this.#wanted = new Set(isOpen ? [] : content.flatMap((term) => [term, ...relatives(term).keys()]));
  }

  /** True if the text has a word of the message, or one that may stand for it; of common words none counts. */
  isIn(hit: { readonly text: string; readonly heading: string; readonly date: string }): boolean {
    if (this.#wanted.size === 0) return true;
    return terms(`${hit.heading} ${dateWords(hit.date)} ${hit.text}`).some((term) => this.#wanted.has(term));
  }
}
