import { type Action, type ActionPath, BulkheadError, type Verdict } from '@bulkhead/protocol';

/** What no policy can open [A2]. */
export interface ProtectedPlaces {
  /** `BULKHEAD_HOME`, absolute and resolved. */
  readonly home: string;
  /** The one folder in it that tools may read: full outputs of this session's own commands. */
  readonly readableOutputs: string;
}

/**
 * Hard-coded protection, by name and before any policy. It decides about names; what a name leads to is decided
 * by the box and the descriptor walk of the file tools, which don't depend on it.
 *
 * @returns a block, or undefined if nothing protected is touched
 */
export function protect(action: Action, places: ProtectedPlaces): Verdict | undefined {
  for (const path of action.metadata.paths) {
    const refusal = refusalOf(path, action.metadata.workingFolder, places);
    if (refusal !== undefined) {
      return {
        decision: 'block',
        tier: 0,
        rule: `protection/${refusal.rule}`,
        reason: refusal.reason,
        confidence: 1,
      };
    }
  }
  return undefined;
}

interface Refusal {
  readonly rule: string;
  readonly reason: string;
}

function refusalOf(
  { path, access }: ActionPath,
  workingFolder: string,
  places: ProtectedPlaces,
): Refusal | undefined {
  if (isWithin(path, places.readableOutputs) && access === 'read') return undefined;
  if (isWithin(path, places.home)) {
    return { rule: 'engine-files', reason: `${path} belongs to Bulkhead itself` };
  }
  if (!isWithin(path, workingFolder)) {
    return { rule: 'outside', reason: `${path} is outside the working folder ${workingFolder}` };
  }
  const parts = path.slice(workingFolder.length).split('/').filter(Boolean).map(fold);
  if (parts.some(isCredentialFolder) || isCredentialFile(parts.at(-1) ?? '')) {
    return { rule: 'credentials', reason: `${path} may hold credentials: it is neither read nor written` };
  }
  if (access === 'write' && isExecutedLater(parts)) {
    return { rule: 'executed-later', reason: `${path} is run or obeyed by other programs later` };
  }
  return undefined;
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/**
 * Names compare as the most forgiving file system would: case, compatibility forms, invisible characters
 * and trailing dots or spaces make no difference (FT12).
 */
function fold(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Cc}]/gu, '')
    .toLowerCase()
    .replace(/[. ]+$/, '');
}

const CREDENTIAL_FOLDERS = new Set([
  '.ssh',
  '.aws',
  '.gnupg',
  '.azure',
  '.kube',
  '.docker',
  '.password-store',
]);

function isCredentialFolder(name: string): boolean {
  return CREDENTIAL_FOLDERS.has(name);
}

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

function isCredentialFile(name: string): boolean {
  if (ENVIRONMENT_TEMPLATES.has(name)) return false;
  if (CREDENTIAL_FILES.has(name) || name.startsWith('.env.')) return true;
  return CREDENTIAL_ENDINGS.some((ending) => name.endsWith(ending));
}

/** Places inside a folder that programs obey without being asked; they need not exist yet, at any depth. */
function isExecutedLater(parts: readonly string[]): boolean {
  return parts.includes('.bulkhead') || parts.includes('.git');
}

/**
 * Names directly below a working folder that a shell command must not see, and those it must not change. The
 * box enforces both; what lies deeper or doesn't exist yet is beyond it until commands run on an overlay.
 */
export function shellBoxNames(names: readonly string[]): {
  readonly hide: string[];
  readonly protect: string[];
} {
  const hide = names.filter((name) => isCredentialFolder(fold(name)) || isCredentialFile(fold(name)));
  return { hide, protect: names.filter((name) => fold(name) === '.bulkhead') };
}

/** @throws BulkheadError `usage` if a folder can't be worked in: the agent's walls would be open */
export function refuseUnsafeWorkingFolder(folder: string, home: string): void {
  if (folder !== '/' && !isWithin(folder, home)) return;
  const reason = folder === '/' ? 'is the whole machine' : 'belongs to Bulkhead itself';
  throw new BulkheadError('usage', `${folder} can't be a working folder: it ${reason}`, {
    fix: 'Start in the folder you want to work in, or give it with --cwd.',
  });
}
