/*
 * How much of what a question asks for is among the first five hits, on the notes of `people/` as files that a real index holds: person by
 * person and all merged into one memory, as written and with months of small talk around it, beside plain BM25 as control.
 *
 * usage: node scripts/run.mjs bench/memory/score-retrieval.ts [--json] [--people] [--ablations] [--fit] [--missed]
 *
 * --people     each person's figures too
 * --ablations  what each sign is worth: the figures without it
 * --fit        fits the weights on all persons but one, and scores the one: what the weights are worth for notes they never saw
 * --missed     questions with none of their lines among the first five, merged, with small talk
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { RANK_WEIGHTS } from '@bulkhead/memory';
import { leaveOneOut } from './leave-one-out.ts';
import { readPeople } from './people.ts';
import {
  ABLATIONS,
  missedIn,
  type Notebooks,
  notebooksOf,
  type Row,
  scoreControl,
  scoreRanking,
} from './score-rows.ts';
import { withSmallTalk } from './small-talk.ts';

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    people: { type: 'boolean', default: false },
    ablations: { type: 'boolean', default: false },
    fit: { type: 'boolean', default: false },
    missed: { type: 'boolean', default: false },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'bulkhead-retrieval-'));
try {
  const written = await notebooksOf(readPeople(), join(folder, 'written'));
  const talked = await notebooksOf(readPeople().map(withSmallTalk), join(folder, 'talked'));
  const rows = [...(await rowsOf(written)), ...(await rowsOf(talked))];
  if (options.fit) rows.push(...(await leaveOneOut(talked)));
  process.stdout.write(options.json ? `${JSON.stringify(rows)}\n` : table(rows));
  if (options.missed) process.stdout.write(await missedIn(talked.merged));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function rowsOf(notebooks: Notebooks): Promise<Row[]> {
  const rows = [
    ...(await scoreControl('BM25', notebooks, false)),
    ...(await scoreControl('BM25, stemmed', notebooks, true)),
    ...(await scoreRanking('ours', notebooks)),
  ];
  if (options.ablations)
    for (const [sign, without] of ABLATIONS)
      rows.push(...(await scoreRanking(`without ${sign}`, notebooks, { ...RANK_WEIGHTS, ...without })));
  return options.people ? rows : rows.filter((row) => row.notes.startsWith('all'));
}

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
