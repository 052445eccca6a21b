import { isHarmlessInRepository } from '@bulkhead/processes/git/harmless-git-settings';
import { type GitSetting, readGitConfig } from '@bulkhead/processes/git/read-git-config';

/** Characters of all clauses together; a person would not read more. */
const MOST_SHOWN = 3_000;

/**
 * The difference between two texts of a repository's settings, as far as a person must decide it.
 * - `harmless`: only identity, remotes, branches, format and behaviour differ, if anything;
 * - `asks`: a clause for each setting, or each line of a text that git might read otherwise;
 * - `unclear`: more than a person could be shown.
 */
export type SettingsChange =
  | { readonly type: 'harmless' }
  | { readonly type: 'asks'; readonly clauses: readonly string[] }
  | { readonly type: 'unclear' };

/**
 * Compares settings by key. Their order counts for those that are not harmless: an included file may
 * set the same.
 *
 * @param isInside true for a value of `core.worktree` that names a folder within the working folder
 */
export function settingsChange(
  before: string,
  after: string,
  isInside: (worktree: string) => boolean,
): SettingsChange {
  if (before === after) return { type: 'harmless' };
  const [old, now] = [readGitConfig(before), readGitConfig(after)];
  const clauses =
    old.isPlain && now.isPlain
      ? changedSettings(old.settings, now.settings, isInside)
      : changedLines(before.split('\n'), after.split('\n'));
  if (clauses.length === 0) return { type: 'harmless' };
  const isShowable = clauses.reduce((sum, { length }) => sum + length, 0) <= MOST_SHOWN;
  return isShowable ? { type: 'asks', clauses } : { type: 'unclear' };
}

function changedSettings(
  before: readonly GitSetting[],
  after: readonly GitSetting[],
  isInside: (worktree: string) => boolean,
): readonly string[] {
  const critical = (settings: readonly GitSetting[]) =>
    settings.filter((setting) => !isHarmlessInRepository(setting, isInside)).map(shownSetting);
  const [old, now] = [critical(before), critical(after)];
  if (old.length === now.length && old.every((text, at) => text === now[at])) return [];
  const clauses = difference(old, now);
  return clauses.length > 0 ? clauses : now.map((text) => `${text} (in another order)`);
}

/** For texts that git, or another version of it, may read in another way. */
function changedLines(before: readonly string[], after: readonly string[]): readonly string[] {
  const quoted = (lines: readonly string[]) => lines.map((line) => JSON.stringify(line));
  const clauses = difference(quoted(before), quoted(after));
  return clauses.length > 0 ? clauses : ['the same lines in another order'];
}

function difference(before: readonly string[], after: readonly string[]): readonly string[] {
  return [...without(after, before), ...without(before, after).map((text) => `${text} removed`)];
}

function without(texts: readonly string[], others: readonly string[]): readonly string[] {
  const left = new Map<string, number>();
  for (const text of others) left.set(text, (left.get(text) ?? 0) + 1);
  return texts.filter((text) => {
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count <= 0;
  });
}

function shownSetting({ section, subsection, name, value }: GitSetting): string {
  const key = [section, ...(subsection === undefined ? [] : [subsection]), name].join('.');
  if (value === undefined) return key;
  return `${key} = ${/^[^"\\\p{C}]*$/u.test(value) && value.trim() === value ? value : JSON.stringify(value)}`;
}
