// Plays the pieces, for main.ts, which has the command line's description.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { GROUPS } from './groups.ts';
import { limitProblems, parseLimits, unknownLimits } from './limits.ts';
import type { Group } from './piece.ts';
import { renderReport } from './render.ts';
import { type PieceResult, Workbench } from './workbench.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    json: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
});
const ids = GROUPS.flatMap(idsOf);
const unknown = values.only.filter(
  (only) => !GROUPS.some(({ name }) => name === only) && !ids.includes(only),
);
if (unknown.length > 0) {
  process.stderr.write(`There is no ${unknown.join(', ')}. --list shows all groups and pieces.\n`);
  process.exitCode = 2;
} else if (values.list) {
  for (const group of GROUPS)
    process.stdout.write(`${group.name}: ${group.title}\n  ${idsOf(group).join('\n  ')}\n`);
} else {
  process.exitCode = await run();
}

async function run(): Promise<number> {
  const limits = parseLimits(readFileSync(`${import.meta.dirname}/limits.txt`, 'utf8'));
  const who = process.getuid?.() === 0 ? 'root' : 'user';
  const results = await playAll();
  const problems = [...limitProblems(results, limits, who), ...unknownLimits(limits, ids)];
  if (values.json) process.stdout.write(`${JSON.stringify({ who, results, problems })}\n`);
  else process.stdout.write(renderReport(GROUPS, results, limits));
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  return problems.length === 0 ? 0 : 1;
}

async function playAll(): Promise<readonly PieceResult[]> {
  // The engine and the folders end with the run, on Ctrl-C too.
  let stopped = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (stopped = true));
  await using workbench = await Workbench.open();
  const results: PieceResult[] = [];
  for (const group of GROUPS) {
    for (const piece of group.pieces) {
      const id = `${group.name}/${piece.name}`;
      if (stopped) return results;
      if (values.only.length > 0 && !values.only.includes(group.name) && !values.only.includes(id)) continue;
      const result = await workbench.play(group, piece);
      results.push(result);
      process.stderr.write(`${id}: ${result.verdict} (${result.seconds} s) ${result.why}\n`);
    }
  }
  return results;
}

function idsOf({ name, pieces }: Group): readonly string[] {
  return pieces.map((piece) => `${name}/${piece.name}`);
}
