import { commonTerms } from '../text/common-words.ts';
import { dateRanges } from '../text/dates.ts';
import { type DayRange, dayOf } from '../text/days.ts';
import { hashOf } from '../text/term-reader.ts';
import { term } from '../text/terms.ts';
import { wordFamilies } from '../text/word-families.ts';
import { words } from '../text/words.ts';
import { alikeTo } from './alike.ts';
import { shapesAsked } from './answer-shape.ts';
import type { CorpusStats } from './candidate.ts';
import { rarity, WantedTerms } from './wanted-terms.ts';
import type { RankWeights } from './weights.ts';

/**
 * Very common English words: in a question they say less than others, even if they occur only once
 * in the notes. In a memory of some dozen notes, a word's frequency says little.
 */
const PLAIN_TEXT = `
accord achieve act action activity actual add advance advice affect afford again age ago agree aim allow almost alone already although always amount
another answer anything apart appear approach area around arrive ask aspect attend available away back bad base basis become begin behind believe
benefit best better big bit both bring call care carry case catch cause certain chance change choose circumstance claim clear close come common compare complete
concern condition connect consider contain continue cope cover create current currently daily day deal decide decision degree deliver describe description detail
develop difference different difficult direct discover discuss doing early earn easy effect effort either encounter encourage end engage enjoy enough enter
entire especially even event eventually everyone everything exact example expect experience explain express face fact fail fair fall far fast
feel feeling few figure fill final finally find fine finish first focus follow form former forward free frequent full fun further future gain general
give go goal good great group grow guess hand happen hard hear help high hold hope hour hundred idea identify imagine important improve include
increase individual influence inform initial instead intend interest involve issue item join keep know large last late later learn least leave left
less level life likely line list little live local long look lose lot love low main maintain major manage many matter maybe mean meet
mind minute moment month morning motivate move multiple near necessary need never new next night nice normal note nothing notice number occur
offer often old open opinion option order organize original outcome overall own part partake participate particular pass past pay people perform perhaps period
permit person personal pick piece place plan play point popular possible potential prefer prepare present pretty previous primary probable problem process
produce progress provide purpose push put question quick quite range rather reach react reaction ready real realize reason receive recent recommend
reflect regard relate remain require respond response rest result return right role run same scene second see seem select sense separate serious serve set
several share short show side significant similar simple single situation small smart soon sort specific spend stand start state stay step still stop strong struggle stuff
style subject succeed success suggest support suppose sure surprise take talk tell tend thank thing think third thought thousand through time
today together tomorrow tonight too top topic total toward try turn two typical undertake unique usual value various view visit wait want watch way week weekend
well whole win wish without word work world worry worth wrong year yesterday young
`;

/** Terms that say less than an equally rare other term; see `terms`. */
function plainTerms(): ReadonlySet<string> {
  return new Set(words(PLAIN_TEXT).map(term));
}

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
