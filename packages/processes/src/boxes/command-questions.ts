import type { CommandViews } from '../transactions/command-views.ts';
import { type CommandBox, type CommandQuestion, WRITES_ITSELF } from './command-box.ts';

/**
 * @returns why every command of a folder needs approval, or every background command; undefined
 * where their changes are held back
 */
export function commandQuestions(
  box: CommandBox,
  views: Pick<CommandViews, 'isOverlay' | 'problem'>,
): (workingFolder: string, background: boolean) => CommandQuestion | undefined {
  return (folder, background) => {
    if (box.asks !== undefined) return box.asks;
    const problem = box.kind === 'overlay' ? views.problem(folder) : undefined;
    if (problem !== undefined)
      return { reason: `what it changes is changed at once: ${problem}`, rule: 'commands/live' };
    const isHeld = box.kind === 'overlay' && views.isOverlay(folder);
    return background && !isHeld ? WRITES_ITSELF : undefined;
  };
}
