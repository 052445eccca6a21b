import type { CommandEffects } from '@bulkhead/protocol';
import { withTexts } from '../transactions/changed-texts.ts';
import type { ChangedFolders } from './folder-view.ts';
import { withLosses } from './lost-contents.ts';

/**
 * Reads what the judge needs besides names: the text of some small files, and what would be lost. If a
 * loss can't be looked for, every content that goes counts.
 */
export async function withContents(
  effects: CommandEffects,
  folders: ChangedFolders,
): Promise<CommandEffects> {
  const read = await withTexts(effects, folders);
  try {
    return await withLosses(read, folders);
  } catch {
    return read;
  }
}
