import {
  type Action,
  type ActionPath,
  BulkheadError,
  changeRefusal,
  folderRefusal,
  pathRefusal,
  strictestOf,
  type Verdict,
} from '@bulkhead/protocol';

/** Places that no policy can allow [A2]. */
export interface ProtectedPlaces {
  /** `BULKHEAD_HOME`, absolute and resolved. */
  readonly home: string;
  /** The only folder in it that tools may read: full outputs of this session's own commands. */
  readonly readableOutputs: string;
}

/**
 * Hard-coded protection by name, before any policy. It judges only the names in a call. The targets
 * of names, and files that a search meets, are checked when they are opened: by the sandbox, and by
 * the file tools' descriptor walk with the same name rules.
 *
 * @returns a block; an escalation for a file that other programs run automatically; undefined if
 * nothing protected is touched
 */
export function protect(action: Action, places: ProtectedPlaces): Verdict | undefined {
  const refusals = action.metadata.paths.flatMap(
    (path) => refusalOf(path, action.metadata.workingFolder, places) ?? [],
  );
  const refusal = strictestOf(refusals);
  if (refusal === undefined) return undefined;
  const { decision, rule, reason } = refusal;
  return { decision, tier: 0, rule: `protection/${rule}`, reason, confidence: 1 };
}

interface Refusal {
  readonly decision: 'block' | 'escalate';
  readonly rule: string;
  readonly reason: string;
}

function refusalOf(
  { path, named, access }: ActionPath,
  workingFolder: string,
  places: ProtectedPlaces,
): Refusal | undefined {
  if (isWithin(path, places.readableOutputs) && access === 'read') return undefined;
  if (isWithin(path, places.home)) {
    return { decision: 'block', rule: 'engine-files', reason: `${path} belongs to Bulkhead itself` };
  }
  if (!isWithin(path, workingFolder)) {
    const reason = `${path} is outside the working folder ${workingFolder}`;
    return { decision: 'block', rule: 'outside', reason };
  }
  const texts = named === undefined ? [path] : [path, named];
  const refusals = texts.flatMap((text) => nameRefusal(text, access, workingFolder) ?? []);
  return strictestOf(refusals);
}

function nameRefusal(text: string, access: ActionPath['access'], workingFolder: string): Refusal | undefined {
  const below = isWithin(text, workingFolder) ? text.slice(workingFolder.length) : text;
  const names = below.split('/').filter((name) => name !== '' && name !== '.' && name !== '..');
  const never = pathRefusal(names, access);
  if (never !== undefined) return { decision: 'block', ...never, reason: `${text} ${never.reason}` };
  const asked = access === 'write' ? changeRefusal(names, 'changed', 'file') : undefined;
  return asked === undefined ? undefined : { ...asked, reason: `${text} ${asked.reason}` };
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/** @throws BulkheadError `usage` for a working folder that would weaken the agent's protection */
export function refuseUnsafeWorkingFolder(folder: string, home: string): void {
  const isOwn = folder.split('/').some((name) => folderRefusal(name, 'read')?.rule === 'executed-later');
  if (folder !== '/' && !isWithin(folder, home) && !isOwn) return;
  const reason = folder === '/' ? 'is the whole machine' : 'belongs to Bulkhead itself';
  throw new BulkheadError('usage', `${folder} can't be a working folder: it ${reason}`, {
    fix: 'Start in the folder you want to work in, or give it with --cwd.',
  });
}
