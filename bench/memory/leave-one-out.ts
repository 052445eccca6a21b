import { RANK_WEIGHTS, type RankWeights } from '@bulkhead/memory';
import type { Person } from './people.ts';
import { type Row, scoreRanking } from './score-rows.ts';

/** Values tried for each weight, one weight after the other. */
const TRIED: Partial<Record<keyof RankWeights, readonly number[]>> = {
  kind: [0.2, 0.35, 0.5],
  synonym: [0.2, 0.35, 0.5],
  alike: [0, 0.2, 0.4],
  line: [0.25, 0.5, 1],
  lineContext: [0, 0.2, 0.4],
  otherSpeaker: [0.4, 0.6, 0.8],
  name: [0.4, 0.8, 1.2],
  date: [0.2, 0.4, 0.8],
  answerShape: [0, 0.15, 0.3],
  b: [0.15, 0.3, 0.6],
};

/** For each person: the weights that are best for all others, and what they find in this person's notes. */
export function leaveOneOut(people: readonly Person[], characters: number): Row[] {
  return people.flatMap((person) => {
    const weights = fit(
      people.filter((one) => one !== person),
      characters,
    );
    const before = new Map(Object.entries(RANK_WEIGHTS));
    const changed = Object.entries(weights).filter(([name, value]) => before.get(name) !== value);
    const ranking = `fitted without: ${changed.map(([name, value]) => `${name} ${value}`).join(', ') || 'same weights'}`;
    return scoreRanking(ranking, [person], characters, weights).slice(0, 1);
  });
}

function fit(people: readonly Person[], characters: number): RankWeights {
  let best = RANK_WEIGHTS;
  let highest = worth(people, characters, best);
  for (const [name, values] of Object.entries(TRIED))
    for (const value of values) {
      const next = { ...best, [name]: value };
      const score = worth(people, characters, next);
      if (score <= highest) continue;
      best = next;
      highest = score;
    }
  return best;
}

/** One by one and merged count alike. */
function worth(people: readonly Person[], characters: number, weights: RankWeights): number {
  return scoreRanking('', people, characters, weights)
    .filter((row) => row.notes.startsWith('all'))
    .reduce((sum, row) => sum + row.nearness, 0);
}
