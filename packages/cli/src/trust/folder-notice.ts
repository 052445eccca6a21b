import { lstatSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { EngineLink } from '@bulkhead/client';
import { TrustState } from '@bulkhead/protocol/client';

/** Names that count once a folder is trusted. Only the names are looked at here. */
const NAMES = ['AGENTS.md', 'CLAUDE.md', '.bulkhead'];

/** Remembers for which folders trust was offered. */
export interface OfferedFolders {
  isOffered(folder: string): boolean;
  keepOffered(folder: string): void;
}

/**
 * A line for a person whose chat opens in a folder with instructions that are not used: offered
 * once, and named each time after a change.
 *
 * @param folder absolute
 * @param how the command that shows and asks
 * @returns undefined if there is nothing to say
 */
export async function folderNotice(
  link: EngineLink,
  folder: string,
  { offered, how, home }: { readonly offered: OfferedFolders; readonly how: string; readonly home: string },
): Promise<string | undefined> {
  const real = resolved(folder);
  const names = NAMES.filter(
    (name) => counts(join(real, name), name) && resolved(join(real, name)) !== resolved(home),
  );
  const { folders } = await link.once((client) => client.call('listTrusted', {}));
  const known = folders.find((one) => one.folder === real);
  if (known?.state === TrustState.TRUSTED) return undefined;
  if (known !== undefined) {
    const changed = known.changes.slice(0, 3).map(({ path, what }) => `${path} ${what}`);
    const why = known.problem === '' ? changed.join(', ') : known.problem;
    return `the instructions of this folder are not used since they changed (${why}); ${how} shows them and asks`;
  }
  if (names.length === 0 || offered.isOffered(real)) return undefined;
  offered.keepOffered(real);
  return `this folder has instructions (${names.join(', ')}), which are not used until you trust them; ${how} shows them and asks`;
}

/** `CLAUDE.md` is often a link to the other file, and then never interpreted. */
function counts(path: string, name: string): boolean {
  try {
    const facts = lstatSync(path, { throwIfNoEntry: false });
    return name === 'CLAUDE.md' ? facts?.isFile() === true : facts !== undefined;
  } catch {
    return false;
  }
}

function resolved(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
