import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/**
 * All properties of a folder's tree that a call could change, by path: kind, number, times and
 * content of each entry; access times separately.
 */
export function treeState(root: string): Readonly<Record<string, string>> {
  const names = ['.', ...namesBelow(root)].sort();
  return Object.fromEntries(
    names.map((name) => {
      const path = join(root, name);
      const { dev, ino, mode, nlink, uid, gid, size, mtimeNs, ctimeNs } = lstatSync(path, { bigint: true });
      const facts = [dev, ino, mode, nlink, uid, gid, size, mtimeNs, ctimeNs].join(' ');
      return [name, `${facts} ${contentOf(path)}`];
    }),
  );
}

/** The hash of each regular file's content, by path. */
export function fileHashes(root: string): ReadonlyMap<string, string> {
  return new Map(
    namesBelow(root).flatMap((name) => {
      const path = join(root, name);
      return lstatSync(path).isFile() ? [[name, sha256(readFileSync(path))] as const] : [];
    }),
  );
}

export function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Links are entries and are not followed: their targets are listed at their own place. */
function namesBelow(root: string, folder = ''): string[] {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  return entries.flatMap((entry) => {
    const name = join(folder, entry.name);
    return entry.isDirectory() ? [name, ...namesBelow(root, name)] : [name];
  });
}

function contentOf(path: string): string {
  const stat = lstatSync(path);
  if (stat.isFile()) return sha256(readFileSync(path));
  return stat.isSymbolicLink() ? readlinkSync(path) : '';
}
