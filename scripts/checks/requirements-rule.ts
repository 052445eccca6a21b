/** Facts about one requirement. */
interface RequirementEntry {
  /** The behaviour in a few words. */
  readonly is: string;
  /** `all: planned work`, or `partial: missing part`; absent if the tests prove it completely. */
  readonly gap?: string;
}

/** `requirements.yaml`. */
export interface RequirementManifest {
  readonly gapBudget: {
    readonly missing: number;
    readonly partial: number;
    readonly faults: number;
    readonly faultsPartial: number;
  };
  readonly requirements: Readonly<Record<string, RequirementEntry>>;
  /** By id, of requirements and fault rows: the cases that prove it, each `file > title`. */
  readonly proof: Readonly<Record<string, readonly string[]>>;
  /** Rows of the fault catalogue: their number, those without a test, and those tested in part. */
  readonly faults: {
    readonly count: number;
    readonly gaps: readonly string[];
    readonly partial: readonly string[];
  };
}

const MAX_WORDS = 12;
const TAG = /\[([A-Z]{1,2}\d+(?:\s*,\s*[A-Z]{1,2}\d+)*)\]/g;

/**
 * Ids that test titles name in square brackets.
 *
 * @param titles Full titles.
 * @returns By id: how many titles name it.
 */
export function taggedIds(titles: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const title of titles) {
    const ids = new Set([...title.matchAll(TAG)].flatMap((match) => (match[1] ?? '').split(/\s*,\s*/)));
    for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

/**
 * Compares the manifest with the tests that passed.
 *
 * @param manifest The parsed manifest.
 * @param proven Ids with a passed test, as `taggedIds` gives them.
 * @param mentioned Ids that any test names, passed or not.
 * @returns Problems, one line each.
 */
export function requirementProblems(
  manifest: RequirementManifest,
  proven: ReadonlyMap<string, number>,
  mentioned: ReadonlyMap<string, number>,
): string[] {
  const entries = Object.entries(manifest.requirements);
  const faults = Array.from(
    { length: manifest.faults.count },
    (_, index) => `FT${String(index + 1).padStart(2, '0')}`,
  );
  const known = new Set([...entries.map(([id]) => id), ...faults]);
  return [
    ...entries.flatMap(([id, entry]) => entryProblems(id, entry, proven.has(id))),
    ...faultProblems(faults, manifest.faults, proven),
    ...[...mentioned.keys()]
      .filter((id) => !known.has(id))
      .map((id) => `a test names [${id}], which is no requirement`),
    ...budgetProblems(manifest),
  ];
}

function entryProblems(id: string, entry: RequirementEntry, isProven: boolean): string[] {
  const problems: string[] = [];
  if (entry.is.trim().split(/\s+/).length > MAX_WORDS)
    problems.push(`${id}: say it in at most ${MAX_WORDS} words`);
  const kind = gapKind(entry);
  if (kind === 'none' && !isProven) problems.push(`${id} has no passed test and no gap: ${entry.is}`);
  if (kind === 'missing' && isProven) {
    problems.push(
      `${id} is said to be missing, but a passed test names it: drop the gap, or say \`partial: …\``,
    );
  }
  if (kind === 'partial' && !isProven) {
    problems.push(
      `${id} is said to be there in part, but no passed test names it: test it, or say \`all: …\``,
    );
  }
  if (kind === 'unreadable')
    problems.push(`${id}: a gap begins with \`all: \` or \`partial: \` and says what is to come`);
  return problems;
}

function gapKind(entry: RequirementEntry): 'none' | 'missing' | 'partial' | 'unreadable' {
  if (entry.gap === undefined) return 'none';
  if (/^all: \S.{2,}/.test(entry.gap)) return 'missing';
  return /^partial: \S.{2,}/.test(entry.gap) ? 'partial' : 'unreadable';
}

function faultProblems(
  faults: readonly string[],
  listed: RequirementManifest['faults'],
  proven: ReadonlyMap<string, number>,
): string[] {
  const open = new Set(listed.gaps);
  const partial = new Set(listed.partial);
  const all = new Set(faults);
  return [
    ...[...open, ...partial]
      .filter((id) => !all.has(id))
      .map((id) => `${id} is no row of the fault catalogue`),
    ...faults.filter((id) => open.has(id) && partial.has(id)).map((id) => `${id} is listed twice`),
    ...faults
      .filter((id) => open.has(id) && proven.has(id))
      .map((id) => `${id} is listed as a gap, but a passed test names it`),
    ...faults
      .filter((id) => !open.has(id) && !proven.has(id))
      .map((id) => `${id} has no passed test and is not listed as a gap`),
  ];
}

function budgetProblems(manifest: RequirementManifest): string[] {
  const kinds = Object.values(manifest.requirements).map(gapKind);
  const counts = {
    missing: kinds.filter((kind) => kind === 'missing').length,
    partial: kinds.filter((kind) => kind === 'partial').length,
    faults: manifest.faults.gaps.length,
    faultsPartial: manifest.faults.partial.length,
  };
  return (['missing', 'partial', 'faults', 'faultsPartial'] as const).flatMap((name) => {
    const [count, budget] = [counts[name], manifest.gapBudget[name]];
    if (count > budget)
      return [`${count} gaps of kind ${name}, more than the ${budget} of gapBudget: gaps may only shrink`];
    return count < budget
      ? [`only ${count} gaps of kind ${name} are left: lower gapBudget from ${budget}`]
      : [];
  });
}
