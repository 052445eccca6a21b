import { overlaysOf } from './overlays-of.ts';
import { isKnown } from './pattern-text.ts';
import type { Overlay, Place, Zone } from './place.ts';
import { isEverything, isWithin, pathText, type ResolvedPath } from './resolve-path.ts';

/** The folders of this machine that define zones, in components. */
export interface Grounds {
  readonly workingFolder: readonly string[];
  readonly home: readonly string[];
}

const TEMPORARY: readonly (readonly string[])[] = [
  ['tmp'],
  ['var', 'tmp'],
  ['dev', 'shm'],
  ['var', 'folders'],
  ['usr', 'tmp'],
];
const SYSTEM = new Set(
  `etc usr bin sbin lib lib32 lib64 libexec boot opt var sys proc dev root run System Library Applications
   private cores kernel snap nix`.split(/\s+/),
);
const STREAMS = new Set(
  'null zero full random urandom stdin stdout stderr tty fd console ptmx pts'.split(' '),
);
const HOMES = new Set(['home', 'Users']);

/** Facts about a folder, independent of the names in it. */
export interface FolderPlace {
  readonly path: ResolvedPath;
  readonly listed: ReadonlySet<Overlay>;
  /** For people, up to and with its slash. */
  readonly text: string;
}

/**
 * Returns the place of a path.
 *
 * @param folder its parent folder, if already looked up
 */
export function placeOf(path: ResolvedPath, grounds: Grounds, folder?: FolderPlace): Place {
  const zone = zoneOf(path, grounds);
  const listed = zone === 'stream' ? [] : overlaysOf(path, [grounds.home], folder?.listed);
  const overlays: readonly Overlay[] =
    isSystemLog(path, zone) && !listed.includes('logs') ? [...listed, 'logs'] : listed;
  const text = folder === undefined ? pathText(path) : folder.text + (path.names.at(-1) ?? '');
  return { zone, overlays, wide: path.anchored && isWide(path.names, zone, grounds), path: text };
}

/** Recognizes a system program's log by its ending, in any system folder. */
function isSystemLog({ names }: ResolvedPath, zone: Zone): boolean {
  return (
    (zone === 'system' || zone === 'root') &&
    /\.log(?:\.\d+)?(?:\.(?:gz|xz|bz2|zst))?$/.test(names.at(-1) ?? '')
  );
}

function zoneOf(path: ResolvedPath, { workingFolder, home }: Grounds): Zone {
  const { names, anchored } = path;
  if (!anchored) return 'unknown';
  const [first] = names;
  if (first === undefined || !isKnown(first)) return 'root';
  if (isWithin(names, workingFolder)) return 'working';
  // A home may lie below a temporary folder, and is one all the same.
  if (isWithin(names, home) && home.length > 1) return 'home';
  if (TEMPORARY.some((folder) => isWithin(names, folder))) return 'temporary';
  if (isWithin(names, home)) return 'home';
  if (isStream(names)) return 'stream';
  if (SYSTEM.has(first)) return 'system';
  return HOMES.has(first) && names.length === 1 ? 'root' : 'elsewhere';
}

function isStream([first, second = '', third]: readonly string[]): boolean {
  if (first === 'dev') return STREAMS.has(second) || /^tty[\dS]/.test(second);
  return first === 'proc' && second === 'self' && third === 'fd';
}

function isWide(names: readonly string[], zone: Zone, { workingFolder, home }: Grounds): boolean {
  const all = isEverything(names.at(-1) ?? '');
  const folder = all ? names.slice(0, -1) : names;
  if (folder.length < workingFolder.length && isWithin(workingFolder, folder)) return true;
  if (folder.length === workingFolder.length && isWithin(workingFolder, folder)) return true;
  if (isWithin(home, folder)) return true;
  const [first, second] = folder;
  if (zone === 'elsewhere') return folder.length <= 2 && HOMES.has(first ?? '');
  if (first === 'usr' || first === 'var' || first === 'System') return folder.length <= 2 && second !== 'tmp';
  return folder.length <= 1 && zone !== 'temporary';
}
