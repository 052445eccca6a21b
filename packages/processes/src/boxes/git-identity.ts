import { textOf } from '../transactions/changed-texts.ts';
import { gitUser } from './git-user.ts';

/**
 * Environment by which git in a box knows the person as their own git does: `user.name` and `user.email` of `~/.gitconfig`, read now. What
 * the folder's own repository says of them counts there, since the environment would stand above it.
 *
 * @param home of the person, absolute; nothing is known without
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
