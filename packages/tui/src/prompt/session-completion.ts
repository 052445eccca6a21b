import type { Clock } from '@bulkhead/protocol';
import type { AutocompleteProvider } from '@earendil-works/pi-tui';
import { type CommandName, createCompletion } from './completion.ts';
import { FileNames } from './file-names.ts';

interface SessionSources {
  readonly clock: Clock;
  readonly commands: () => readonly CommandName[];
  readonly templates: (folder: string, signal: AbortSignal) => Promise<readonly string[]>;
  /** Folder of the current session, absolute; empty for none. */
  readonly folder: () => string;
}

/**
 * Completions for Tab, `/` and `@` in the current session. @param left fires when the person leaves
 */
export function sessionCompletion(sources: SessionSources, left: AbortSignal): AutocompleteProvider {
  const { clock, commands, templates, folder } = sources;
  const files = new FileNames(clock, left);
  return createCompletion({
    commands,
    templates: (signal) => templates(folder(), signal),
    files: () => files.below(folder()),
  });
}
