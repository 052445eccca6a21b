import { shownName } from '@bulkhead/files';
import { isPublicCertificates } from '@bulkhead/processes/transactions/public-certificates';
import { changeRefusal, folderRefusal, type ObservedChange, pathRefusal } from '@bulkhead/protocol';
import { type ChangePlace, type Finding, findingFrom } from './finding.ts';
import { gitFinding } from './git-places.ts';
import { settingsChange } from './git-settings.ts';

const SET_ID_BITS = 0o6000;
const EXECUTE_BITS = 0o111;
const OTHERS_WRITE = 0o002;

/** Judges one change by its name and kind. */
export function findingOf(change: ObservedChange, place: ChangePlace): Finding | undefined {
  return (
    ownFinding(place) ??
    setIdFinding(change) ??
    specialFinding(change) ??
    gitFinding(change, place) ??
    credentialFinding(change, place) ??
    linkFinding(change, place) ??
    laterFinding(change, place) ??
    openedFinding(change, place)
  );
}

function ownFinding({ facts }: ChangePlace): Finding | undefined {
  return facts.some(({ isOwn }) => isOwn)
    ? { decision: 'drop', rule: 'engine-files', reason: 'belongs to Bulkhead itself' }
    : undefined;
}

/**
 * The outermost folder around a change that programs generate; the object's own name is ignored.
 */
function rebuildableAt({ facts }: ChangePlace): number {
  return facts.slice(0, -1).findIndex((fact) => fact.isRebuildable);
}

/** True for generated content, unless its path goes through a folder of credentials. */
function isRebuildable(place: ChangePlace): boolean {
  const at = rebuildableAt(place);
  return at >= 0 && !place.names.slice(0, at).some((name) => folderRefusal(name, 'read') !== undefined);
}

function setIdFinding({ kind, mode, wasMode }: ObservedChange): Finding | undefined {
  const gained = kind === 'file' && (mode & ~wasMode & SET_ID_BITS) !== 0;
  return gained
    ? { decision: 'drop', rule: 'set-user', reason: 'would run with the rights of its owner' }
    : undefined;
}

function specialFinding({ kind, what }: ObservedChange): Finding | undefined {
  if (kind !== 'other' || what === 'deleted') return undefined;
  return { decision: 'drop', rule: 'special-file', reason: 'is a pipe, a socket or a device' };
}

/**
 * Content installed by a package manager, with its examples and tests, is no secret of this user.
 */
function credentialFinding(change: ObservedChange, place: ChangePlace): Finding | undefined {
  const { what } = change;
  const { names, facts } = place;
  if (!facts.some(({ isRefused }) => isRefused)) return undefined;
  const refusal = pathRefusal(names, 'write');
  if (refusal?.rule !== 'credentials') return undefined;
  if (isRebuildable(place) && (what === 'created' || what === 'deleted')) return undefined;
  if (isPublicFile(change, place)) return undefined;
  return { decision: 'drop', rule: refusal.rule, reason: refusal.reason };
}

/**
 * Certificates are not secret, whatever their names: old and new content must be only certificates.
 */
function isPublicFile({ kind, was }: ObservedChange, { names, text }: ChangePlace): boolean {
  const isAround = pathRefusal([...names.slice(0, -1), 'certificate'], 'write') !== undefined;
  if (text === undefined || isAround) return false;
  const isPublic = (there: ObservedChange['kind'], said: string | undefined) =>
    there === 'missing' || (there === 'file' && said !== undefined && isPublicCertificates(said));
  return isPublic(was, text.before) && isPublic(kind, text.after);
}

/** Decided by the link's text alone: nothing is looked up. */
function linkFinding({ kind, target, what }: ObservedChange, place: ChangePlace): Finding | undefined {
  if (kind !== 'link' || target === undefined || what === 'metadata') return undefined;
  const text = Buffer.from(target).toString('latin1');
  if (!leaves(text, place)) return undefined;
  // Environments link to the programs that created them.
  if (isRebuildable(place) && /^\/(usr|opt|bin|lib|lib64)\//.test(text) && !text.includes('/..'))
    return undefined;
  return {
    decision: 'ask',
    rule: 'link-out',
    reason: `points outside the working folder, to ${shownName(target)}`,
  };
}

function leaves(target: string, { names, workingFolder }: ChangePlace): boolean {
  if (target.startsWith('/')) {
    const inside = target === workingFolder || target.startsWith(`${workingFolder}/`);
    return !inside || target.split('/').includes('..');
  }
  const parts = target.split('/').filter((part) => part !== '' && part !== '.');
  const named = parts.findIndex((part) => part !== '..');
  const up = named < 0 ? parts.length : named;
  // A name may be a link, and `..` after it leads to the parent of its unknown target.
  return up > names.length - 1 || parts.slice(up).includes('..');
}

/** Below a `.git`, the check of git names has already decided. */
function laterFinding(change: ObservedChange, place: ChangePlace): Finding | undefined {
  const { names, facts } = place;
  const may = facts.some(({ mayBeRunLater }) => mayBeRunLater) && !facts.some(({ isGit }) => isGit);
  const isPlain = change.what === 'metadata' && !becomesProgram(change) && change.owners === undefined;
  if (!may || isPlain) return undefined;
  const { what, kind, was } = change;
  if (names.at(-1) === '.gitmodules' && isHarmlessText(change, place)) return undefined;
  const made = rebuildableAt(place);
  const refusal = changeRefusal(names, what, kind, was, made < 0 ? undefined : made);
  return refusal === undefined ? undefined : findingFrom(refusal);
}

/** Submodules with plain addresses, whose updates run nothing. */
function isHarmlessText({ kind, was }: ObservedChange, { text }: ChangePlace): boolean {
  if (kind !== 'file' || text?.after === undefined) return false;
  if (was !== 'missing' && (was !== 'file' || text.before === undefined)) return false;
  return settingsChange(text.before ?? '', text.after, () => false).type === 'harmless';
}

/** The same as an order to open the file, whichever program carried it out. */
function openedFinding(
  { kind, was, mode, wasMode }: ObservedChange,
  place: ChangePlace,
): Finding | undefined {
  if (kind !== was || (kind !== 'file' && kind !== 'folder') || isRebuildable(place)) return undefined;
  if ((mode & ~wasMode & OTHERS_WRITE) === 0) return undefined;
  return { decision: 'ask', rule: 'access-opened', reason: 'could be written by every user' };
}

function becomesProgram({ kind, mode, wasMode }: ObservedChange): boolean {
  return kind === 'file' && (mode & ~wasMode & EXECUTE_BITS) !== 0;
}
