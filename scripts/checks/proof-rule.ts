import { type RequirementManifest, taggedIds } from './requirements-rule.ts';
import type { TestCase } from './test-results.ts';

/** A case that is the only proof of more ids than this proves little about each. */
const MAX_IDS_OF_A_CASE = 3;

/**
 * Compares the pointers of the manifest with the cases that ran. Every id without a complete gap
 * points to at least one case; all cases of a pointer passed, none was skipped, and each names the
 * id.
 *
 * @param manifest The parsed manifest. A pointer is `file > title`, where `…` stands for any text
 *   and the title may continue.
 * @param cases All cases of the run.
 * @returns Problems, one line each.
 */
export function proofProblems(manifest: RequirementManifest, cases: readonly TestCase[]): string[] {
  const byFile = Map.groupBy(cases, ({ file }) => file);
  const idsOf = new Map<string, string[]>();
  for (const [id, pointers] of Object.entries(manifest.proof))
    for (const pointer of pointers) idsOf.set(pointer, [...(idsOf.get(pointer) ?? []), id]);
  const wanted = idsToProve(manifest);
  return [
    ...wanted.filter((id) => manifest.proof[id] === undefined).map((id) => `${id} has no proof`),
    ...Object.keys(manifest.proof)
      .filter((id) => !wanted.includes(id))
      .map((id) => `${id} has a proof, and is no requirement or a gap`),
    ...[...idsOf].flatMap(([pointer, ids]) => pointerProblems(pointer, ids, byFile)),
  ];
}

function idsToProve({ requirements, faults }: RequirementManifest): readonly string[] {
  const rows = Array.from({ length: faults.count }, (_, at) => `FT${String(at + 1).padStart(2, '0')}`);
  return [
    ...Object.entries(requirements).flatMap(([id, { gap }]) => (gap?.startsWith('all: ') ? [] : [id])),
    ...rows.filter((id) => !faults.gaps.includes(id)),
  ];
}

function pointerProblems(
  pointer: string,
  ids: readonly string[],
  byFile: ReadonlyMap<string, readonly TestCase[]>,
): string[] {
  const [file = '', title = ''] = pointer.split(/ > (.*)/);
  const pattern = new RegExp(`^${title.split('…').map(literally).join('.*')}`);
  const found = (byFile.get(file) ?? []).filter((one) => pattern.test(one.title));
  if (title === '' || found.length === 0) return [`${ids.join(', ')}: there is no case ${pointer}`];
  const problems = found
    .filter(({ status }) => status !== 'passed')
    .map(({ status, title: of }) => `${ids.join(', ')}: the proof was ${status}: ${file} > ${of}`);
  const named = taggedIds(found.map((one) => one.title));
  const unnamed = ids.filter((id) => named.get(id) !== found.length);
  if (unnamed.length > 0) problems.push(`${unnamed.join(', ')} is not named by ${pointer}`);
  if (ids.length > MAX_IDS_OF_A_CASE)
    problems.push(`${ids.join(', ')} have one proof, more than ${MAX_IDS_OF_A_CASE} ids: ${pointer}`);
  return problems;
}

function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
