import { commonTerms } from '../text/common-words.ts';
import { dateRanges } from '../text/dates.ts';
import { type DayRange, dayOf } from '../text/days.ts';
import { term } from '../text/terms.ts';
import { wordFamilies } from '../text/word-families.ts';
import { words } from '../text/words.ts';
import { shapesAsked } from './answer-shape.ts';
import type { CorpusStats } from './candidate.ts';
import type { Vocabulary } from './vocabulary.ts';
import type { RankWeights } from './weights.ts';

/** What is longer is a text and not a question; its beginning is looked for. */
const LONGEST_QUERY = 4_000;
/** The rarest words of a long question stand for it. */
const MOST_CONCEPTS = 32;
const COMMON = commonTerms();
const FAMILIES = wordFamilies();

/** What is asked for, over the terms of one vocabulary. A concept is a word of the question with all that may stand for it. */
export interface Question {
  /** By term: the concept it stands for, -1 for none. */
  readonly conceptOf: Int16Array;
  /** By term: what it is worth for its concept. */
  readonly worthOf: Float32Array;
  readonly concepts: number;
  /** Worth of all concepts together: what a text has that says each word asked for. */
  readonly best: number;
  /** Folded names of speakers that the question names. */
  readonly persons: ReadonlySet<string>;
  readonly ranges: readonly DayRange[];
  /** See `shapesAsked`. */
  readonly shapes: number;
}

/** Everything besides the question that its reading depends on. */
export interface QuestionContext {
  readonly now: Date;
  readonly stats: CorpusStats;
  readonly vocabulary: Vocabulary;
  /** Folded words of the names of those who speak in the notes. */
  readonly speakers: ReadonlySet<string>;
  readonly weights: RankWeights;
}

export function readQuestion(query: string, context: QuestionContext): Question {
  const text = query.slice(0, LONGEST_QUERY);
  const all = [...new Set(words(text))];
  const persons = new Set(all.filter((word) => context.speakers.has(word)));
  const wanted = [...new Set(all.filter((word) => !persons.has(word)).map(term))];
  const content = wanted.filter((one) => !COMMON.has(one));
  const concepts = rarest(content.length > 0 ? content : wanted, context.stats);
  return {
    ...weigh(concepts, context),
    concepts: concepts.length,
    persons,
    ranges: dateRanges(text, dayOf(context.now)),
    shapes: shapesAsked(text),
  };
}

function weigh(
  concepts: readonly string[],
  { stats, vocabulary, weights }: QuestionContext,
): Pick<Question, 'conceptOf' | 'worthOf' | 'best'> {
  const conceptOf = new Int16Array(vocabulary.size).fill(-1);
  const worthOf = new Float32Array(vocabulary.size);
  let best = 0;
  for (const [concept, one] of concepts.entries()) {
    const own = rarity(one, stats);
    best += own;
    const stand = (id: number | undefined, share: number) => {
      if (id === undefined || share <= 0) return;
      const worth = share * Math.min(own, rarity(vocabulary.term(id), stats));
      if (worth <= (worthOf[id] ?? 0)) return;
      worthOf[id] = worth;
      conceptOf[id] = concept;
    };
    stand(vocabulary.find(one), 1);
    for (const [relative, nearness] of FAMILIES.relatives(one))
      stand(vocabulary.find(relative), weights[nearness]);
    const alike = stats.documentFrequency(one) === 0 ? weights.misspelt : weights.alike;
    if (alike === 0) continue;
    for (const [id, share] of vocabulary.alike(one, weights.alikeLeast)) stand(id, alike * share);
  }
  return { conceptOf, worthOf, best };
}

function rarest(terms: readonly string[], stats: CorpusStats): readonly string[] {
  if (terms.length <= MOST_CONCEPTS) return terms;
  const frequency = new Map(terms.map((one) => [one, stats.documentFrequency(one) || stats.chunks]));
  return terms.toSorted((a, b) => (frequency.get(a) ?? 0) - (frequency.get(b) ?? 0)).slice(0, MOST_CONCEPTS);
}

/** Inverse document frequency, never negative; a word that stands nowhere counts as one that stands once. */
function rarity(one: string, stats: CorpusStats): number {
  const frequency = Math.max(1, stats.documentFrequency(one));
  return Math.log(1 + (Math.max(stats.chunks, frequency) - frequency + 0.5) / (frequency + 0.5));
}
