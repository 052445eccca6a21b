import { BulkheadError } from '@bulkhead/protocol';
import { isWithin } from '../paths/levels.ts';

/** One mount of `/proc/self/mountinfo`: the shown part of a file system, and its mount point. */
interface Mount {
  /** `major:minor` of the file system. */
  readonly device: string;
  /** Path of the shown folder or file in its file system. */
  readonly root: string;
  readonly point: string;
}

/**
 * Finds where mounts show protected places in a folder: a bind mount, or a disk mounted twice,
 * gives them another path there (FT13). Uses the table of mounts only, so short-lived files can't
 * be mistaken for them.
 *
 * @param folder absolute, resolved
 * @param places absolute, resolved
 * @param table text of `/proc/self/mountinfo`; undefined where the system has none
 * @returns absolute paths inside `folder` that are protected, with all below them
 * @throws BulkheadError `blocked` if the folder itself is such a path, or lies below one
 */
export function shownPlaces(
  folder: string,
  places: readonly string[],
  table: string | undefined,
): readonly string[] {
  const mounts = (table ?? '').split('\n').flatMap(readMount);
  const around = mountOf(mounts, folder);
  const found = places.flatMap((place) => {
    const home = mountOf(mounts, place);
    if (home === undefined) return [];
    const inside = joined(home.root, below(place, home.point) ?? '');
    return mounts
      .filter((mount) => mount !== home && mount.device === home.device)
      .filter((mount) => mount === around || (mount.point !== folder && isWithin(mount.point, folder)))
      .flatMap((mount) => shownBy(mount, inside) ?? []);
  });
  if (found.some((path) => isWithin(folder, path))) throw isProtected(folder);
  return [...new Set(found.filter((path) => isWithin(path, folder)))];
}

/** Paths inside a folder where something is mounted. @param table text of `/proc/self/mountinfo` */
export function mountPointsIn(folder: string, table: string | undefined): readonly string[] {
  const points = (table ?? '').split('\n').flatMap(readMount);
  return points.map(({ point }) => point).filter((point) => point !== folder && isWithin(point, folder));
}

/** Where a mount shows a place of its file system, or the part of that place that it shows. */
function shownBy({ root, point }: Mount, inside: string): string | undefined {
  const rest = below(inside, root);
  if (rest !== undefined) return joined(point, rest);
  return isWithin(root, inside) ? point : undefined;
}

/** The last of the mounts with the longest path to it: it covers the others. */
function mountOf(mounts: readonly Mount[], path: string): Mount | undefined {
  return mounts
    .filter(({ point }) => isWithin(path, point))
    .reduce<Mount | undefined>(
      (best, mount) => (best === undefined || mount.point.length >= best.point.length ? mount : best),
      undefined,
    );
}

/**
 * `36 35 98:0 /root /point rw,noatime …`: spaces and the like are written as three octal digits.
 */
function readMount(line: string): Mount[] {
  const [, , device, root, point] = line.split(' ');
  if (device === undefined || root === undefined || point === undefined) return [];
  return [{ device, root: plain(root), point: plain(point) }];
}

function plain(text: string): string {
  // One character for each byte, then the bytes as text: the table holds non-ASCII names unescaped.
  const bytes = Buffer.from(text, 'utf8').toString('latin1');
  const spelled = bytes.replace(/\\([0-7]{3})/g, (_, digits) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
  return Buffer.from(spelled, 'latin1').toString('utf8');
}

/**
 * The rest of `path` after `above`, without its first slash; undefined if it does not lie there.
 */
function below(path: string, above: string): string | undefined {
  if (path === above) return '';
  const start = above.endsWith('/') ? above : `${above}/`;
  return path.startsWith(start) ? path.slice(start.length) : undefined;
}

function joined(folder: string, rest: string): string {
  if (rest === '') return folder;
  return folder.endsWith('/') ? `${folder}${rest}` : `${folder}/${rest}`;
}

function isProtected(folder: string): BulkheadError {
  return new BulkheadError('blocked', `a mount shows protected files at ${folder}: nothing works there`, {
    fix: 'Work in another folder, or unmount it.',
  });
}
