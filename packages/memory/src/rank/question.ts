import { commonTerms } from '../text/common-words.ts';
import { dateRanges } from '../text/dates.ts';
import { type DayRange, dayOf } from '../text/days.ts';
import { plainTerms } from '../text/plain-words.ts';
import { hashOf } from '../text/term-reader.ts';
import { term } from '../text/terms.ts';
import { wordFamilies } from '../text/word-families.ts';
import { words } from '../text/words.ts';
import { alikeTo } from './alike.ts';
import { shapesAsked } from './answer-shape.ts';
import type { CorpusStats } from './candidate.ts';
import { rarity, WantedTerms } from './wanted-terms.ts';
import type { RankWeights } from './weights.ts';

/** A longer text is not a question; only its start is searched. */
const LONGEST_QUERY = 4_000;
/** For a long question, its rarest words are used. */
const MOST_CONCEPTS = 32;
const COMMON = commonTerms();
const PLAIN = plainTerms();
const FAMILIES = wordFamilies();

/** A parsed question. A concept is a word of the question with all related terms. */
export interface Question {
  readonly wanted: WantedTerms;
  readonly concepts: number;
  /** Total worth of all concepts: the score of a text with every word of the question. */
  readonly best: number;
  /** The words of speakers' names in the question, from `hashOf`. */
  readonly persons: ReadonlySet<number>;
  readonly ranges: readonly DayRange[];
  /** See `shapesAsked`. */
  readonly shapes: number;
}

/** Everything else that determines how the question is read. */
export interface QuestionContext {
  readonly now: Date;
  readonly stats: CorpusStats;
  /** See `speakersIn`. */
  readonly speakers: ReadonlySet<number>;
  readonly weights: RankWeights;
}

export function readQuestion(query: string, context: QuestionContext): Question {
  const text = query.slice(0, LONGEST_QUERY);
  const all = [...new Set(words(text))];
  const isPerson = (word: string) => context.speakers.has(hashOf(word));
  const wanted = [...new Set(all.filter((word) => !isPerson(word)).map(term))];
  const content = wanted.filter((one) => !COMMON.has(one));
  const concepts = rarest(content.length > 0 ? content : wanted, context.stats);
  return {
    ...weigh(concepts, context),
    concepts: concepts.length,
    persons: new Set(all.filter(isPerson).map(hashOf)),
    ranges: dateRanges(text, dayOf(context.now)),
    shapes: shapesAsked(text),
  };
}

function weigh(
  concepts: readonly string[],
  { stats, weights }: QuestionContext,
): Pick<Question, 'wanted' | 'best'> {
  const wanted = new WantedTerms(stats);
  let best = 0;
  for (const [concept, one] of concepts.entries()) {
    const own = rarity(one, stats) * (PLAIN.has(one) ? weights.plain : 1);
    best += own;
    wanted.claim(one, { concept, share: 1, own });
    for (const [relative, nearness] of FAMILIES.relatives(one))
      wanted.claim(relative, { concept, share: weights[nearness], own });
    const worth = stats.documentFrequency(one) === 0 ? weights.misspelt : weights.alike;
    if (worth === 0) continue;
    const alike = alikeTo(one);
    for (const other of stats.alike?.(one) ?? []) {
      const share = alike(other);
      if (share >= weights.alikeLeast) wanted.claim(other, { concept, share: worth * share, own });
    }
  }
  return { wanted, best };
}

function rarest(terms: readonly string[], stats: CorpusStats): readonly string[] {
  if (terms.length <= MOST_CONCEPTS) return terms;
  const frequency = new Map(terms.map((one) => [one, stats.documentFrequency(one) || stats.chunks]));
  return terms.toSorted((a, b) => (frequency.get(a) ?? 0) - (frequency.get(b) ?? 0)).slice(0, MOST_CONCEPTS);
}
