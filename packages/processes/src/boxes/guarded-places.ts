import { shownName } from '@bulkhead/files';
import {
  BulkheadError,
  changeRefusal,
  foldName,
  isSecretFile,
  mayBeRunLater,
  pathRefusal,
} from '@bulkhead/protocol';
import { textOf } from '../transactions/changed-texts.ts';
import { isRebuildableName } from '../transactions/known-places.ts';
import { isPublicCertificates } from '../transactions/public-certificates.ts';
import { RememberedFolders } from './remembered-folders.ts';
import { type WalkedEntry, walkedPath, walkFolder } from './walk-folder.ts';

/** Entries that are checked before a command begins. With more, no command runs. */
const MAX_ENTRIES = 500_000;
/** Paths that one box hides from its command: each is a mount. The launcher takes 1,024 in all. */
const MAX_HIDDEN = 500;
const MAX_KEPT = 300;
/** Files whose content decides whether they are hidden. */
const MAX_READ = 100;
/** Bulkhead's own folder; holds no secret of the user. */
const OWN_SCRATCH = '.bulkhead-scratch';
/** The same of settings that a person may show to one command. */
const SHOWABLE =
  'may hold credentials, so commands see it empty; a command whose call names it in `secret_files` reads it, if the user allows that';
/** Explains how a command sees a hidden file, and that no approval can open it. */
const HIDDEN =
  "may hold credentials, so commands see it empty or can't open it; that can't be allowed: go on without it, or ask the user to run the command";
/** Paths that one remark lists. */
const NAMED = 3;
/** Stores of other version control: the content of files is there under no name of theirs. */
const HISTORIES = new Set(['.hg', '.svn', '.jj']);
/** Settings in which package managers keep tokens, in the installation itself. Folded. */
const MANAGER_SETTINGS = new Set([
  ...['npmrc', '.yarnrc', '.yarnrc.yml', 'pip.conf', '.condarc', 'condarc', 'gradle.properties'],
  ...['credentials.toml', 'wasmer.toml', 'upload_config.lua'],
]);

/** True for settings of an installation: programs read them automatically, and an empty file is a valid one. */
export function isManagerSettings(name: string): boolean {
  return MANAGER_SETTINGS.has(foldName(name));
}

/**
 * Places of a working folder that a command must not see, and those that it must not change where
 * changes are not checked.
 */
export interface GuardedPlaces {
  /** Components of each below the folder: may hold credentials. */
  readonly hide: readonly (readonly string[])[];
  /** Existing files that programs run or obey later; as many as a box can protect from changes. */
  readonly keep: readonly (readonly string[])[];
  /** All of these, and the links among them. */
  readonly obeyed: readonly (readonly string[])[];
  /** For model and user: hidden places, and gaps in hiding. */
  readonly hidingRemarks: readonly string[];
  /** True if `hide` names all that is to be hidden. */
  readonly isWhole: boolean;
  readonly keepingRemarks: readonly string[];
}

interface Found {
  readonly hide: (readonly string[])[];
  readonly keep: (readonly string[])[];
  readonly links: (readonly string[])[];
  readonly unhideable: string[];
  /** Absolute: credentials that no path of text leads to, and folders that can't be looked through. */
  readonly unreachable: Buffer[];
  readonly unkept: string[];
  /** Folders that are kept, or lie in one: what is in them is kept with it, and hidden all the same. */
  readonly inside: Set<string>;
}

interface GuardedOptions {
  /** Remembers what was read before. */
  readonly folders?: RememberedFolders;
  readonly maxEntries?: number;
  /** True for a folder of programs: hides settings of package managers too. */
  readonly isInstallation?: boolean;
  /** More places that are hidden; `folders` must remember their names. */
  readonly isPrivate?: (entry: WalkedEntry) => boolean;
}

/**
 * Listings for `guardedPlaces`, to be kept for the next command.
 *
 * @param mayBePrivate of a name: true for one that matters besides
 */
export function guardedFolders(mayBePrivate: (name: string) => boolean = () => false): RememberedFolders {
  return new RememberedFolders((entry) => {
    const name = entry.name.toString('utf8');
    if (entry.isDirectory() || !Buffer.from(name).equals(entry.name)) return true;
    const { isCredential, isObeyed, mayBeRunLater: mayRun } = factOf(name);
    return isCredential || isObeyed || mayRun || isManagerSettings(name) || mayBePrivate(name);
  });
}

/** @param paths absolute */
export function outOfReach(folder: string, paths: readonly Buffer[]): BulkheadError {
  const start = Buffer.byteLength(folder) + 1;
  const places = paths.map((path) => shownName(path.subarray(start)));
  return new BulkheadError(
    'blocked',
    `in ${folder}, ${named(places)} may hold credentials and can't be hidden from commands: the name of a folder above is no UTF-8, or the path is too long`,
    { fix: 'Rename or move that folder, or work in another one.' },
  );
}

function tooLarge(folder: string, maxEntries: number): BulkheadError {
  return new BulkheadError(
    'blocked',
    `${folder} holds more than ${maxEntries} files and folders, too many to be looked through for credentials before a command`,
    {
      fix: 'Work in a folder further down. Installed packages and build output (`node_modules`, `build`, …) do not count.',
    },
  );
}

/**
 * Finds them by name, as deep as the bound allows. Folders that programs make (`node_modules`,
 * `build`, …) are skipped: content of a package is no secret of this user.
 *
 * @param isSkipped of components: true for a place that is hidden from commands in another way
 * @throws BulkheadError `blocked` if there are too many entries to be looked through, or a place can't be
 *   hidden for the folder that it lies in: a command would see it
 */
export async function guardedPlaces(
  folder: string,
  isSkipped: (names: readonly string[]) => boolean = () => false,
  options: GuardedOptions = {},
): Promise<GuardedPlaces> {
  const { folders = guardedFolders(), maxEntries = MAX_ENTRIES, isInstallation = false, isPrivate } = options;
  const found: Found = {
    hide: [],
    keep: [],
    links: [],
    unhideable: [],
    unreachable: [],
    unkept: [],
    inside: new Set(),
  };
  const names = new Map<string, NameFact>();
  const visit = (entry: WalkedEntry): boolean => {
    if (isSkipped(entry.names)) return false;
    const name = entry.names.at(-1) ?? '';
    const fact = names.get(name) ?? factOf(name, isInstallation);
    names.set(name, fact);
    return sort(entry, isPrivate?.(entry) === true ? { ...fact, isCredential: true } : fact, found);
  };
  let seen = 0;
  const list = (path: Buffer) => {
    const listing = folders.list(path);
    seen += listing.entries.length + listing.others;
    // A command can open it, and is then not to find anything in it.
    if (listing.isClosed === true) hideClosed(path, folder, found);
    return listing;
  };
  const tooDeep = (path: Buffer): void => void found.unreachable.push(path);
  await walkFolder(folder, visit, maxEntries, list, tooDeep);
  if (seen > maxEntries) throw tooLarge(folder, maxEntries);
  if (found.unreachable.length > 0) throw outOfReach(folder, found.unreachable);
  const hide = await withoutPublic(folder, found.hide);
  return {
    hide: hide.slice(0, MAX_HIDDEN),
    keep: found.keep.slice(0, MAX_KEPT),
    obeyed: [...found.keep, ...found.links],
    hidingRemarks: hiddenRemarks({ ...found, hide }),
    isWhole: hide.length <= MAX_HIDDEN && found.unhideable.length === 0,
    keepingRemarks: keptRemarks(found),
  };
}

/** Commands may see public certificates. Few files are checked: each has to be read. */
async function withoutPublic(folder: string, hide: Found['hide']): Promise<Found['hide']> {
  const hidden: (readonly string[])[] = [];
  let read = 0;
  for (const names of hide) {
    const isCandidate = names.at(-1)?.endsWith('.pem') === true && read < MAX_READ;
    if (isCandidate) read += 1;
    const text = isCandidate ? await textOf(folder, names.join('/')) : undefined;
    if (text === undefined || !isPublicCertificates(text)) hidden.push(names);
  }
  return hidden;
}

/** Facts that a name implies at any place: many entries have few names. */
interface NameFact {
  readonly isCredential: boolean;
  /** Obeyed with any content: `.git`, `.bulkhead`. */
  readonly isObeyed: boolean;
  readonly mayBeRunLater: boolean;
  /** A folder of it is not looked through: programs make it, or it is a store of version control. */
  readonly isClosed: boolean;
}

function factOf(name: string, isInstallation = false): NameFact {
  const isCredential =
    pathRefusal([name], 'read') !== undefined || (isInstallation && isManagerSettings(name));
  const isObeyed = !isCredential && pathRefusal([name], 'write') !== undefined;
  const folded = foldName(name);
  return {
    isCredential,
    isObeyed,
    mayBeRunLater: mayBeRunLater(name),
    isClosed: isObeyed || isRebuildableName(folded) || HISTORIES.has(folded),
  };
}

function hideClosed(path: Buffer, folder: string, { hide, unreachable }: Found): void {
  const below = path.subarray(Buffer.byteLength(folder) + 1);
  const text = below.toString('utf8');
  if (below.length === 0 || !Buffer.from(text).equals(below)) unreachable.push(path);
  else hide.push(text.split('/'));
}

/** @returns whether to enter it, if it is a folder */
function sort(entry: WalkedEntry, fact: NameFact, found: Found): boolean {
  const { names, bytes, kind, isNamed } = entry;
  if (!Buffer.from(names.at(-1) ?? '').equals(bytes)) {
    if (isProtectedByAnyReading(bytes)) found.unhideable.push(shownPlace(names));
    return kind === 'folder';
  }
  if (fact.isCredential) {
    if (isNamed) found.hide.push(names);
    else found.unreachable.push(walkedPath(entry));
    return false;
  }
  const isInside = found.inside.has(names.slice(0, -1).join('/'));
  const isKept = !isInside && (fact.isObeyed || (fact.mayBeRunLater && isRunLater(names, kind)));
  if (isKept) keep(entry, found);
  else if (isInside && kind === 'folder') found.inside.add(names.join('/'));
  return !fact.isClosed;
}

function keep({ names, kind, isNamed }: WalkedEntry, found: Found): void {
  if (kind === 'folder') found.inside.add(names.join('/'));
  if (!isNamed) found.unkept.push(shownPlace(names));
  else if (kind === 'link') found.links.push(names);
  else found.keep.push(names);
}

function isRunLater(names: readonly string[], kind: WalkedEntry['kind']): boolean {
  return changeRefusal(names, 'changed', kind === 'folder' ? 'folder' : 'file') !== undefined;
}

/** Another program may read bytes that are not UTF-8 as a protected name. */
export function isProtectedByAnyReading(bytes: Buffer): boolean {
  const text = bytes.toString('utf8');
  const readings = [text, text.replaceAll('\u{FFFD}', ''), bytes.toString('latin1')];
  return readings.some((name) => pathRefusal([name], 'write') !== undefined);
}

function hiddenRemarks({ hide, unhideable }: Found): string[] {
  const theirs = hide.slice(0, MAX_HIDDEN).filter((names) => names.at(-1) !== OWN_SCRATCH);
  const isShowable = (names: readonly string[]) => isSecretFile(names.join('/'));
  const settings = theirs.filter(isShowable);
  const others = theirs.filter((names) => !isShowable(names));
  return [
    ...(settings.length > 0 ? [`${named(settings.map(shownPlace))}: ${SHOWABLE}`] : []),
    ...(others.length > 0 ? [`${named(others.map(shownPlace))}: ${HIDDEN}`] : []),
    ...(hide.length > MAX_HIDDEN
      ? [`${hide.length - MAX_HIDDEN} files that may hold credentials are not hidden`]
      : []),
    ...(unhideable.length > 0 ? [`not hidden, for its name is no UTF-8: ${named(unhideable)}`] : []),
  ];
}

function keptRemarks({ keep, links, unkept }: Found): string[] {
  const over = keep.length - MAX_KEPT;
  return [
    ...(over > 0 ? [`${over} files that are run or obeyed later are not kept from changes`] : []),
    ...(unkept.length > 0
      ? [`in a folder whose name is no UTF-8, so not kept from changes: ${named(unkept)}`]
      : []),
    ...(links.length > 0 ? [`a link, so not kept from changes: ${named(links.map(shownPlace))}`] : []),
  ];
}

/** The form for the user. @param names components below the working folder */
export function shownPlace(names: readonly string[]): string {
  return shownName(Buffer.from(names.join('/')));
}

function named(names: readonly string[]): string {
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
  return `${names.slice(0, NAMED).join(', ')}${more}`;
}
