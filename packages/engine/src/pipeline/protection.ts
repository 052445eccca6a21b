import {
  type Action,
  type ActionPath,
  BulkheadError,
  foldName,
  pathRefusal,
  type Verdict,
} from '@bulkhead/protocol';

/** What no policy can open [A2]. */
export interface ProtectedPlaces {
  /** `BULKHEAD_HOME`, absolute and resolved. */
  readonly home: string;
  /** The one folder in it that tools may read: full outputs of this session's own commands. */
  readonly readableOutputs: string;
}

/**
 * Hard-coded protection, by name and before any policy. It decides about the names of a call; what they lead to,
 * and what a search meets on its way, is decided where it is opened: by the box, and by the descriptor walk of
 * the file tools under the same rules about names.
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
  const refusal = pathRefusal(path.slice(workingFolder.length).split('/').filter(Boolean), access);
  return refusal === undefined ? undefined : { ...refusal, reason: `${path} ${refusal.reason}` };
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/** What other programs run or obey without being asked. */
const OBEYED: ReadonlySet<string> = new Set(['.git', '.bulkhead']);

/**
 * Names directly below a working folder that a shell command must not see, and those it must not change. The
 * box enforces both; what lies deeper or doesn't exist yet is beyond it until commands run on an overlay.
 */
export function shellBoxNames(names: readonly string[]): {
  readonly hide: string[];
  readonly protect: string[];
} {
  const hide = names.filter((name) => pathRefusal([name], 'read') !== undefined);
  return { hide, protect: names.filter((name) => OBEYED.has(foldName(name))) };
}

/** @throws BulkheadError `usage` if a folder can't be worked in: the agent's walls would be open */
export function refuseUnsafeWorkingFolder(folder: string, home: string): void {
  if (folder !== '/' && !isWithin(folder, home)) return;
  const reason = folder === '/' ? 'is the whole machine' : 'belongs to Bulkhead itself';
  throw new BulkheadError('usage', `${folder} can't be a working folder: it ${reason}`, {
    fix: 'Start in the folder you want to work in, or give it with --cwd.',
  });
}
