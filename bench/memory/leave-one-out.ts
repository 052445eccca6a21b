import { RANK_WEIGHTS, type RankWeights } from '@bulkhead/memory';
import { type Notebooks, type Row, scoreRanking } from './score-rows.ts';

/** Values tried for each weight, one weight after the other. */
const TRIED: Partial<Record<keyof RankWeights, readonly number[]>> = {
  kind: [0.2, 0.35, 0.5],
  synonym: [0.2, 0.35, 0.5],
  line: [0.25, 0.5, 1],
  otherSpeaker: [0.4, 0.6, 0.8],
  name: [0.2, 0.4, 0.8],
  date: [0.2, 0.4, 0.8],
  answerShape: [0, 0.15, 0.3],
  b: [0.15, 0.3, 0.6],
};

/**
 * For each person: the weights that are best for all others, and what they find in this person's notes. Every weighting is asked once and
 * every fit looks at the same answers: one weight is changed at a time, the best value of each is taken.
 */
export async function leaveOneOut(notebooks: Notebooks): Promise<Row[]> {
  const base = await scoreRanking('', notebooks);
  const tried: { readonly name: string; readonly value: number; readonly rows: readonly Row[] }[] = [];
  for (const [name, values] of Object.entries(TRIED))
    for (const value of values)
      tried.push({
        name,
        value,
        rows: await scoreRanking('', notebooks, { ...RANK_WEIGHTS, [name]: value }),
      });
  const rows: Row[] = [];
  for (const { name: person } of notebooks.alone) {
    const chosen: Record<string, number> = {};
    for (const weight of Object.keys(TRIED)) {
      const best = tried
        .filter(({ name }) => name === weight)
        .reduce<{ readonly value: number | undefined; readonly score: number }>(
          (most, one) => {
            const score = worthWithout(one.rows, person);
            return score > most.score ? { value: one.value, score } : most;
          },
          { value: undefined, score: worthWithout(base, person) },
        );
      if (best.value !== undefined) chosen[weight] = best.value;
    }
    const fitted = await scoreRanking(nameOf(chosen), notebooks, { ...RANK_WEIGHTS, ...chosen });
    rows.push(...fitted.filter(({ notes }) => notes === person));
  }
  return rows;
}

function nameOf(chosen: Readonly<Record<string, number>>): string {
  const changed = Object.entries(chosen).map(([name, value]) => `${name} ${value}`);
  return `fitted without: ${changed.join(', ') || 'same weights'}`;
}

/** Nearness in the notes of all others. */
function worthWithout(rows: readonly Row[], person: string): number {
  return rows
    .filter(({ notes }) => notes !== person && !notes.startsWith('all'))
    .reduce((sum, row) => sum + row.nearness * row.questions, 0);
}
