import type { Limit } from './limits.ts';
import type { Group } from './piece.ts';
import type { PieceResult, Verdict } from './workbench.ts';

const VERDICTS: readonly Verdict[] = ['same', 'asked', 'differs', 'skipped'];

/** A table with a line for each group, the causes of differences, and what was skipped. */
export function renderReport(
  groups: readonly Group[],
  results: readonly PieceResult[],
  limits: readonly Limit[],
): string {
  const of = (group: Group) => results.filter(({ id }) => id.startsWith(`${group.name}/`));
  const rows = groups.map((group) => row(group.name, of(group))).filter((line) => line !== undefined);
  const head = cells('group', [...VERDICTS, 'questions', 'seconds']);
  const skipped = results.filter(({ verdict }) => verdict === 'skipped');
  return [
    head,
    ...rows,
    row('all', results),
    '',
    score(results),
    ...renderCauses(results, limits),
    ...(skipped.length === 0 ? [] : ['', 'skipped:']),
    ...skipped.map(({ id, why }) => `  ${id}: ${why}`),
    '',
  ].join('\n');
}

function row(name: string, results: readonly PieceResult[]): string | undefined {
  if (results.length === 0) return undefined;
  const counts = VERDICTS.map((one) => results.filter(({ verdict }) => verdict === one).length);
  const questions = results.reduce((sum, one) => sum + one.questions, 0);
  const seconds = results.reduce((sum, one) => sum + one.seconds, 0);
  return cells(name, [...counts, questions, Math.round(seconds)].map(String));
}

function cells(name: string, values: readonly string[]): string {
  return name.padEnd(12) + values.map((value) => value.padStart(10)).join('');
}

function score(results: readonly PieceResult[]): string {
  const played = results.filter(({ verdict }) => verdict !== 'skipped');
  const same = played.filter(({ verdict }) => verdict === 'same').length;
  const percent = played.length === 0 ? 0 : Math.round((1_000 * same) / played.length) / 10;
  return `the same and unasked: ${same} of ${played.length} (${percent} %)`;
}

/** Which mend would gain how many pieces, by the causes that `limits.txt` names. */
function renderCauses(results: readonly PieceResult[], limits: readonly Limit[]): readonly string[] {
  const causes = new Map<string, number>();
  for (const { id, verdict } of results) {
    if (verdict !== 'asked' && verdict !== 'differs') continue;
    const cause = limits.find((limit) => limit.id === id)?.cause ?? 'not listed';
    causes.set(cause, (causes.get(cause) ?? 0) + 1);
  }
  if (causes.size === 0) return [];
  const ranked = [...causes].toSorted((a, b) => b[1] - a[1]);
  return [
    '',
    'causes (limits.txt):',
    ...ranked.map(([cause, count]) => `${String(count).padStart(5)}  ${cause}`),
  ];
}
