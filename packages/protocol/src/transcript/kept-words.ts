import type { ToolItem } from './items.ts';

/** The remaining effects of an action, for the user. */
interface KeptWords {
  readonly text: string;
  /** True if the user should check. */
  readonly isDoubtful: boolean;
}

/** Whether effects of an action remain, and which; undefined if there is nothing to report. */
export function keptWords({
  effects,
  fate,
  left,
}: Pick<ToolItem, 'effects' | 'fate' | 'left'>): KeptWords | undefined {
  if (fate === 'unknown') return { text: 'it is not known whether it took effect', isDoubtful: true };
  if (left === 'unknown') return { text: 'may already have taken effect', isDoubtful: true };
  const counts = countsOf(effects);
  if (left === 'nothing' || effects?.kept === false) {
    return {
      text: counts === '' ? 'nothing of it was kept' : `files: ${counts}; none of it kept`,
      isDoubtful: false,
    };
  }
  return counts === '' ? undefined : { text: `files: ${counts}`, isDoubtful: false };
}

function countsOf(effects: ToolItem['effects']): string {
  const counts = [
    [effects?.created ?? 0, 'created'],
    [effects?.changed ?? 0, 'changed'],
    [effects?.deleted ?? 0, 'deleted'],
  ] as const;
  return counts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${count} ${what}`)
    .join(', ');
}
