/*
 * How much of what a question asks for is among the first five chunks, on the notes of `people/`: person by person, all merged into one
 * memory, beside plain BM25 as control, and without each sign in turn.
 *
 * usage: node scripts/run.mjs bench/memory/score-retrieval.ts [--json] [--ablations] [--small] [--fit]
 *
 * --ablations  what each sign is worth: the figures without it
 * --small      chunks of 700 characters in place of 1,600, so that five of them are a smaller part of the notes
 * --fit        fits the weights on all persons but one, and scores the one: what the weights are worth for notes they never saw
 * --missed     questions with none of their lines among the first five, merged
 */
import { parseArgs } from 'node:util';
import { RANK_WEIGHTS } from '@bulkhead/memory';
import { leaveOneOut } from './leave-one-out.ts';
import { CHUNK_CHARACTERS } from './notebook.ts';
import { readPeople } from './people.ts';
import { ABLATIONS, missedIn, type Row, scoreControl, scoreRanking } from './score-rows.ts';

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    ablations: { type: 'boolean', default: false },
    small: { type: 'boolean', default: false },
    fit: { type: 'boolean', default: false },
    missed: { type: 'boolean', default: false },
  },
});
const people = readPeople();
const characters = options.small ? 700 : CHUNK_CHARACTERS;
const rows = [
  ...scoreControl('BM25', people, characters, false),
  ...scoreControl('BM25, stemmed', people, characters, true),
  ...scoreRanking('ours', people, characters, RANK_WEIGHTS),
];
if (options.ablations)
  for (const [sign, without] of ABLATIONS)
    rows.push(
      ...scoreRanking(`without ${sign}`, people, characters, { ...RANK_WEIGHTS, ...without }).filter((row) =>
        row.notes.startsWith('all'),
      ),
    );
if (options.fit) rows.push(...leaveOneOut(people, characters));
process.stdout.write(options.json ? `${JSON.stringify(rows)}\n` : table(rows));
if (options.missed) process.stdout.write(missedIn(people, characters));

function table(list: readonly Row[]): string {
  const cells = list.map(
    (row) =>
      `| ${row.ranking} | ${row.notes} | ${row.chunks} | ${row.questions} | ${row.all.toFixed(1)} | ${row.any.toFixed(1)} | ${row.nearness.toFixed(2)} |`,
  );
  return [
    '| ranking | notes | chunks | questions | all lines | any line | nearness |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...cells,
    '',
  ].join('\n');
}
