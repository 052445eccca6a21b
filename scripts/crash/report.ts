/** The reports of a campaign's processes: see `e2e/crash/tally.ts`. */
export interface CrashTally {
  readonly rounds: number;
  readonly kills: Readonly<Record<string, number>>;
  readonly acknowledged: number;
  readonly actions: Readonly<Record<string, number>>;
  readonly openFileActions: number;
  readonly resolvedFileActions: number;
  readonly failedFileActions: number;
}

export interface CrashSummary extends CrashTally {
  /** Sum of `kills`. */
  readonly killed: number;
}

export function sumOfTallies(tallies: readonly CrashTally[]): CrashSummary {
  const total = (pick: (tally: CrashTally) => number) => tallies.reduce((sum, tally) => sum + pick(tally), 0);
  const kills = sumOf(tallies.map((tally) => tally.kills));
  return {
    rounds: total(({ rounds }) => rounds),
    kills,
    killed: Object.values(kills).reduce((sum, count) => sum + count, 0),
    acknowledged: total(({ acknowledged }) => acknowledged),
    actions: sumOf(tallies.map(({ actions }) => actions)),
    openFileActions: total(({ openFileActions }) => openFileActions),
    resolvedFileActions: total(({ resolvedFileActions }) => resolvedFileActions),
    failedFileActions: total(({ failedFileActions }) => failedFileActions),
  };
}

/** @param violated number of rounds with a violation */
export function renderReport(summary: CrashSummary & { readonly seconds: number }, violated: number): string {
  const { rounds, killed, kills, acknowledged, actions, seconds } = summary;
  const { openFileActions, resolvedFileActions, failedFileActions } = summary;
  const share =
    openFileActions === 0 ? 100 : Math.round((1_000 * resolvedFileActions) / openFileActions) / 10;
  return [
    '',
    ...Object.entries(kills).map(([name, count]) => `  ${String(count).padStart(4)}  ${name}`),
    '',
    `${killed} kills in ${rounds} rounds and ${seconds} s; ${acknowledged} messages acknowledged, each settled once`,
    `actions: ${Object.entries(actions)
      .map(([end, count]) => `${count} ${end}`)
      .join(', ')}`,
    `changes of files that a crash left open: ${openFileActions}, resolved ${resolvedFileActions} (${share} %); ${failedFileActions} more failed`,
    violated === 0 ? 'no violation' : `${violated} rounds with violations`,
  ].join('\n');
}

function sumOf(counts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const names = new Set(counts.flatMap((one) => Object.keys(one)));
  return Object.fromEntries(
    [...names].sort().map((name) => [name, counts.reduce((sum, one) => sum + (one[name] ?? 0), 0)]),
  );
}
