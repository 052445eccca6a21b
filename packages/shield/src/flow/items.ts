import type { Observation, ValueIndex } from './observation.ts';
import type { UserRequest } from './request.ts';
import { normalOf, type StoredValue } from './values.ts';
import { sameStem, tellingWords, wordsOf } from './words.ts';

/** The data from which words may select items. */
export interface ItemSearch {
  readonly request: UserRequest;
  readonly index: ValueIndex;
  /** Text of the delegated documents; empty if none. */
  readonly delegated: readonly string[];
  /** Cached scores, by row: valid while request and documents stay the same. */
  readonly scores: Map<string, number>;
}

/** The least score of a selected item: at least half of its name was stated. */
const ENOUGH = 0.5;

/**
 * True if the user's words select this item and no rival: no item of its list scores higher, and
 * none scores equally without the same value. Rivals with other values need a question, not a
 * guess.
 */
export function isMeant(search: ItemSearch, row: string, holds: (value: StoredValue) => boolean): boolean {
  const score = scoreOf(search, row);
  if (score < ENOUGH) return false;
  const list = search.index.byRow.get(row)?.[0]?.list ?? '';
  return (search.index.byList.get(list) ?? []).every((rival) => {
    if (rival === row || scoreOf(search, rival) < score) return true;
    return (search.index.byRow.get(rival) ?? []).some(holds);
  });
}

/** Scores how well the user's words name an item: from 0 for no match to a little over 1. */
export function scoreOf(search: ItemSearch, row: string): number {
  const known = search.scores.get(row);
  if (known !== undefined) return known;
  const score = reckon(search, row);
  search.scores.set(row, score);
  return score;
}

function reckon({ request, index, delegated }: ItemSearch, row: string): number {
  const values = index.byRow.get(row) ?? [];
  let best = 0;
  for (const value of values) {
    if (value.as === 'text') continue;
    best = Math.max(
      best,
      nameScore(request.telling, index.wordsOf(value)),
      nameScore(delegated, index.wordsOf(value)),
    );
    if (value.as === 'identity' && request.identifiers.some(({ normal }) => normal === value.normal))
      best = Math.max(best, 1);
  }
  if (best < ENOUGH && values.some((value) => isSaidAmount(request, value))) best = ENOUGH;
  return best + 0.2 * values.filter((value) => isSaidDetail(request, value)).length;
}

/** The stated part of a name, with a little more for a long one: "new team plan" over "plan". */
function nameScore(said: readonly string[], words: readonly string[]): number {
  if (words.length === 0) return 0;
  const found = words.filter((word) => said.some((one) => sameStem(one, word))).length;
  return found === 0 ? 0 : found / words.length + Math.min(found, 5) / 100;
}

/** An amount with cents, or with two or more digits: "the 10.00 I just got". */
function isSaidAmount(request: UserRequest, { text, as }: StoredValue): boolean {
  return as === 'text' && /^\d+\.\d+$|^\d{2,}$/u.test(text) && request.numbers.includes(Number(text));
}

/** A stated day distinguishes items of the same name. */
function isSaidDetail(request: UserRequest, { text }: StoredValue): boolean {
  const day = /^\d{4}-(\d{2}-\d{2})/u.exec(text);
  return day !== null && (request.days.includes(text.slice(0, 10)) || request.days.includes(day[1] ?? ''));
}

/** Words of a request that select one or more items by the user's own rule. */
const CHOICE =
  /\b(?:all|any|anyone|best|both|biggest|cheapest|closest|each|earliest|every|everybody|everyone|fewest|first|highest|largest|last|latest|least|longest|lowest|most|nearest|newest|oldest|one of|random|recent|shortest|smallest|starting with|top|rated|under|below|less than|at most|over|above|more than|at least|usual|usually)\b/iu;

export function statesChoice(request: UserRequest): boolean {
  return CHOICE.test(request.orders);
}

/**
 * True if the value was among the data read for the user's rule: a request for the highest rating
 * selects one of those with a rating that was read. Where no call matches the rule's own words, the
 * value is accepted.
 */
export function wasCompared(
  request: UserRequest,
  observations: readonly Observation[],
  normal: string,
): boolean {
  const words = wordsOf(request.orders);
  return words.every((word, index) => {
    if (!CHOICE.test(word)) return true;
    const by = words.slice(index + 1, index + 4);
    const compared = observations.filter(({ tool }) =>
      tellingWords(tool.replaceAll('_', ' ')).some((part) => by.some((one) => sameStem(one, part))),
    );
    return compared.length === 0 || compared.some((observation) => speaksOf(observation, normal));
  });
}

function speaksOf({ values, arguments: given }: Observation, normal: string): boolean {
  return values.some((value) => value.normal === normal) || given.some((text) => normalOf(text) === normal);
}

/**
 * True if the user's words referred to the call that gave this value, and it gave just one item.
 */
export function isSoleItem(
  observations: readonly Observation[],
  index: ValueIndex,
  value: StoredValue,
): boolean {
  const observation = observations.find((each) => each.index === value.call);
  if (observation === undefined || !observation.pointed) return false;
  const rows = new Set(observation.values.map(({ row }) => row));
  return rows.size === 1 && index.byRow.has(value.row);
}
