import type { ActionPath } from './action.ts';
import { foldName } from './fold-name.ts';
import { nameMatcher } from './name-matcher.ts';

/**
 * The hard-coded names that no policy can open [A2]. Pure: judges names only. The engine applies it
 * to the paths of a call, the worker to every name it opens; both must refuse alike.
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
const OWN: NameRefusal = {
  rule: 'executed-later',
  reason: 'belongs to Bulkhead itself: it is neither read nor written',
};

const isCredentialFolder = nameMatcher([
  '.ssh',
  '.aws',
  '.gnupg',
  '.azure',
  '.kube',
  '.docker',
  '.password-store',
]);
const isCredentialName = nameMatcher([
  '.env',
  '.netrc',
  '_netrc',
  '.npmrc',
  '.pypirc',
  '.pgpass',
  '.my.cnf',
  '.git-credentials',
  '.htpasswd',
  '.vault-token',
  'id_rsa',
  'id_dsa',
  'id_ecdsa',
  'id_ecdsa_sk',
  'id_ed25519',
  'id_ed25519_sk',
]);
const CREDENTIAL_ENDINGS = ['.pem', '.key', '.p12', '.pfx', '.ppk', '.kdbx', '.keystore', '.jks'];
const ENVIRONMENT_TEMPLATES = new Set(['.env.example', '.env.sample', '.env.template', '.env.dist']);
/** `.env.production` and its short names. */
const ENVIRONMENT_FILE = /^(?:\.env\.|env~\d+\.)/;
const STREAM = /(?<=.):.*$/;

/** Holds commands' changes and the journals for recovery: `SCRATCH_NAME` of the engine. */
const isOwn = nameMatcher(['.bulkhead-scratch']);
/** Places that programs obey automatically; they may be missing, and lie at any depth. */
const isObeyed = nameMatcher(['.git', '.bulkhead']);

/**
 * Judges a component on the way to a file, independent of the rest of the path.
 *
 * @param name as it is on the disk, not folded
 * @returns undefined if a path may pass through it
 */
export function folderRefusal(name: string, access: ActionPath['access']): NameRefusal | undefined {
  if (isCredentialFolder(name)) return CREDENTIALS;
  if (isOwn(name)) return OWN;
  return access === 'write' && isObeyed(name) ? EXECUTED_LATER : undefined;
}

/**
 * Judges a path to an existing or new file. Rules for credentials come before those for files that
 * are obeyed later.
 *
 * @param names components below the root of a grant, the file's own last; none means the root
 *   itself
 * @returns undefined if this use of the file is allowed
 */
export function pathRefusal(names: readonly string[], access: ActionPath['access']): NameRefusal | undefined {
  const passed = names.map((name) => folderRefusal(name, access));
  const credentials = passed.includes(CREDENTIALS) || isCredentialFile(names.at(-1) ?? '');
  return credentials ? CREDENTIALS : passed.find((refusal) => refusal !== undefined);
}

function isCredentialFile(name: string): boolean {
  const folded = foldName(foldName(name).replace(STREAM, ''));
  if (ENVIRONMENT_TEMPLATES.has(folded)) return false;
  if (isCredentialName(name) || ENVIRONMENT_FILE.test(folded)) return true;
  return CREDENTIAL_ENDINGS.some((ending) => folded.endsWith(ending));
}
