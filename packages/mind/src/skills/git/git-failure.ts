import { BulkheadError, type ErrorCode } from '@bulkhead/protocol';
import { addressOf, type GitAddress } from './git-address.ts';

interface Kind {
  /** In what git says in English. */
  readonly sign: RegExp;
  readonly code: ErrorCode;
  what(address: GitAddress): string;
  fix(address: GitAddress): string;
}

/** First that fits. */
const KINDS: readonly Kind[] = [
  {
    sign: /attempting to allocate \d+ over limit/i,
    code: 'blocked',
    what: ({ url }) => `${url} holds a file that is too large to unpack`,
    fix: () => 'Clone it yourself and install the folder of the skill.',
  },
  {
    sign: /host key verification failed/i,
    code: 'unauthenticated',
    what: ({ url }) => `ssh does not know the host of ${url} yet`,
    fix: () => 'Connect to it once with ssh, compare its key, and try again.',
  },
  {
    sign: /could not read (?:username|password)|authentication failed|permission denied|error: 40[13]\b/i,
    code: 'unauthenticated',
    what: ({ url }) => `${url} is not there, or asks for a login`,
    fix: () =>
      'Stored logins are not used here, the keys of your ssh agent are: give git@HOST:REPOSITORY, or clone it yourself and install the folder.',
  },
  {
    sign: /couldn't find remote ref|remote ref does not exist|not our ref|unadvertised object|bad object/i,
    code: 'not_found',
    what: ({ url, ref }) =>
      ref === 'HEAD' ? `${url} has no default branch` : `${url} has no branch, tag or commit ${ref}`,
    fix: ({ url }) => `See \`git ls-remote ${url}\`; a commit is named by its whole hash.`,
  },
  {
    sign: /error: 404\b|repository .*not found|does not appear to be a git repository/i,
    code: 'not_found',
    what: ({ url }) => `there is no repository at ${url}`,
    fix: () => 'See whether the address is right.',
  },
];

/** Why git could not fetch. @param err what it said; only its own last complaint is passed on */
export function fetchFailed(address: GitAddress, err: string): BulkheadError {
  const kind = KINDS.find(({ sign }) => sign.test(err));
  if (kind !== undefined) return new BulkheadError(kind.code, kind.what(address), { fix: kind.fix(address) });
  const said =
    /^(?:fatal|error): (.{1,300})/m.exec(err)?.[1]?.replaceAll(/\p{C}/gu, '?') ?? 'it did not say why';
  return new BulkheadError('not_available', `git could not fetch ${address.url}: ${said}`, {
    fix: `Try it by hand: git ls-remote ${address.url}`,
    retryable: true,
  });
}

export function noFolder(address: GitAddress, commit: string): BulkheadError {
  return new BulkheadError(
    'not_found',
    `there is no folder ${address.path} in ${addressOf({ ...address, path: '' }, commit)}`,
    {
      fix: 'Names are told apart by case; the folder is given from the top of the repository.',
    },
  );
}

/** @param folders that hold a skill, from the top of what was looked at */
export function noSkill(address: GitAddress, folders: readonly string[]): BulkheadError {
  const ref = address.ref === 'HEAD' ? '' : address.ref;
  // A name that can't be given as an address is not one to print, either.
  const plain = folders.filter((folder) => !/[\p{C}\p{Zl}\p{Zp}\\:]/u.test(folder));
  const named = plain.slice(0, 5).map((folder) => addressOf({ ...address, path: folder }, ref));
  const more = plain.length > named.length ? ` … (${plain.length} in all)` : '';
  return new BulkheadError('config_invalid', `${addressOf(address, ref)} holds no SKILL.md at its top`, {
    fix: named.length === 0 ? 'It is no skill.' : `Name one: ${named.join('  ')}${more}`,
  });
}
