import type { ActionEnd, RecordedAction } from './recorded-actions.ts';

/** Counts of a campaign. Plain, so that it can be sent from process to process. */
export interface Tally {
  readonly rounds: number;
  readonly kills: Readonly<Record<string, number>>;
  readonly acknowledged: number;
  readonly actions: Readonly<Record<ActionEnd, number>>;
  /** Changes of files that a crash left open, and those of them that recovery could tell. */
  readonly openFileActions: number;
  readonly resolvedFileActions: number;
  /** Changes of files that came back with an error after they had begun. */
  readonly failedFileActions: number;
}

export const NOTHING: Tally = {
  rounds: 0,
  kills: {},
  acknowledged: 0,
  actions: { executed: 0, not_executed: 0, unknown: 0, failed: 0, refused: 0 },
  openFileActions: 0,
  resolvedFileActions: 0,
  failedFileActions: 0,
};

export function tallyOf(round: {
  readonly kills: readonly string[];
  readonly acknowledged: number;
  readonly actions: readonly RecordedAction[];
}): Tally {
  const { kills, acknowledged, actions } = round;
  const files = actions.filter(({ tool, intended }) => intended && (tool === 'write' || tool === 'edit'));
  const open = files.filter(({ recovered }) => recovered);
  const ends = actions.map(({ end }) => end);
  const count = (wanted: ActionEnd) => ends.filter((end) => end === wanted).length;
  return {
    rounds: 1,
    kills: Object.fromEntries(
      [...Map.groupBy(kills, (kill) => kill)].map(([kill, times]) => [kill, times.length]),
    ),
    acknowledged,
    actions: {
      executed: count('executed'),
      not_executed: count('not_executed'),
      unknown: count('unknown'),
      failed: count('failed'),
      refused: count('refused'),
    },
    openFileActions: open.length,
    resolvedFileActions: open.filter(({ end }) => end !== 'unknown').length,
    failedFileActions: files.filter(({ end }) => end === 'failed').length,
  };
}

export function plus(a: Tally, b: Tally): Tally {
  return {
    rounds: a.rounds + b.rounds,
    kills: sumOf(a.kills, b.kills),
    acknowledged: a.acknowledged + b.acknowledged,
    actions: {
      executed: a.actions.executed + b.actions.executed,
      not_executed: a.actions.not_executed + b.actions.not_executed,
      unknown: a.actions.unknown + b.actions.unknown,
      failed: a.actions.failed + b.actions.failed,
      refused: a.actions.refused + b.actions.refused,
    },
    openFileActions: a.openFileActions + b.openFileActions,
    resolvedFileActions: a.resolvedFileActions + b.resolvedFileActions,
    failedFileActions: a.failedFileActions + b.failedFileActions,
  };
}

export function killsIn({ kills }: Tally): number {
  return Object.values(kills).reduce((sum, count) => sum + count, 0);
}

function sumOf(
  a: Readonly<Record<string, number>>,
  b: Readonly<Record<string, number>>,
): Record<string, number> {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return Object.fromEntries([...names].sort().map((name) => [name, (a[name] ?? 0) + (b[name] ?? 0)]));
}
