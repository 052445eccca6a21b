import { textOf } from '../transactions/changed-texts.ts';
import { gitUser } from './git-user.ts';

/**
 * Environment that gives git in a box the user's identity: `user.name` and `user.email` of
 * `~/.gitconfig`, read now. Not set where the folder's own repository has them, since the
 * environment would override it.
 *
 * @param home of the user, absolute; without it nothing is known
 */
export async function gitIdentity(
  home: string | undefined,
  workingFolder: string,
): Promise<Readonly<Record<string, string>>> {
  if (home === undefined || !home.startsWith('/')) return {};
  const { name, email } = gitUser((await textOf(home, '.gitconfig')) ?? '');
  const own = gitUser((await textOf(workingFolder, '.git/config')) ?? '');
  return {
    ...(name === undefined || own.name !== undefined
      ? {}
      : { GIT_AUTHOR_NAME: name, GIT_COMMITTER_NAME: name }),
    ...(email === undefined || own.email !== undefined
      ? {}
      : { GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_EMAIL: email }),
  };
}
