import type { ActionPath } from './action.ts';

/**
 * The hard-coded names that no policy can open [A2]. Pure: it judges names, whoever looked them up. The engine
 * applies it to the paths of a call, the worker to every name it opens; both must refuse alike.
 */

/** Why a name may not be used. */
export interface NameRefusal {
  readonly rule: 'credentials' | 'executed-later';
  /** The rest of a sentence that begins with the path. */
  readonly reason: string;
}

const CREDENTIALS: NameRefusal = {
  rule: 'credentials',
  reason: 'may hold credentials: it is neither read nor written',
};
const EXECUTED_LATER: NameRefusal = {
  rule: 'executed-later',
  reason: 'is run or obeyed by other programs later',
};

const CREDENTIAL_FOLDERS = new Set([
  '.ssh',
  '.aws',
  '.gnupg',
  '.azure',
  '.kube',
  '.docker',
  '.password-store',
]);
const CREDENTIAL_FILES = new Set([
  '.env',
  '.netrc',
  '_netrc',
  '.npmrc',
  '.pypirc',
  '.pgpass',
  '.my.cnf',
  '.git-credentials',
  '.htpasswd',
  'id_rsa',
  'id_dsa',
  'id_ecdsa',
  'id_ed25519',
]);
const CREDENTIAL_ENDINGS = ['.pem', '.key', '.p12', '.pfx', '.kdbx', '.keystore', '.jks'];
const ENVIRONMENT_TEMPLATES = new Set(['.env.example', '.env.sample', '.env.template', '.env.dist']);

/** Places that programs obey without being asked; they need not exist yet, at any depth. */
const OBEYED_LATER = new Set(['.git', '.bulkhead']);

/**
 * Names compare as the most forgiving file system would: case, compatibility forms, invisible characters
 * and trailing dots or spaces make no difference (FT12).
 *
 * @param name one component of a path
 */
export function foldName(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Cc}]/gu, '')
    .toLowerCase()
    .replace(/[. ]+$/, '');
}

/**
 * Judges a component that is passed on the way, whatever lies behind it.
 *
 * @param name as it is on the disk, not folded
 * @returns undefined if a path may lead through it
 */
export function folderRefusal(name: string, access: ActionPath['access']): NameRefusal | undefined {
  const folded = foldName(name);
  if (CREDENTIAL_FOLDERS.has(folded)) return CREDENTIALS;
  return access === 'write' && OBEYED_LATER.has(folded) ? EXECUTED_LATER : undefined;
}

/**
 * Judges a path to a file, there or not yet. Credentials come before what is obeyed later.
 *
 * @param names components below the root of a grant, the file's own last; none stands for the root itself
 * @returns undefined if the file may be used so
 */
export function pathRefusal(names: readonly string[], access: ActionPath['access']): NameRefusal | undefined {
  const passed = names.map((name) => folderRefusal(name, access));
  const credentials = passed.includes(CREDENTIALS) || isCredentialFile(foldName(names.at(-1) ?? ''));
  return credentials ? CREDENTIALS : passed.find((refusal) => refusal !== undefined);
}

function isCredentialFile(folded: string): boolean {
  if (ENVIRONMENT_TEMPLATES.has(folded)) return false;
  if (CREDENTIAL_FILES.has(folded) || folded.startsWith('.env.')) return true;
  return CREDENTIAL_ENDINGS.some((ending) => folded.endsWith(ending));
}
