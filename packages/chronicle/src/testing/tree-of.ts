import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

/**
 * A whole tree as text, a line for each object: kind, mode, time to the microsecond, owner, content
 * or target, name.
 */
export function treeOf(root: string): readonly string[] {
  return linesOf(Buffer.from(root), Buffer.from('.'));
}

function linesOf(root: Buffer, path: Buffer): string[] {
  const full = Buffer.concat([root, Buffer.from('/'), path]);
  const stat = lstatSync(full, { bigint: true });
  const facts = [
    (stat.mode & 0o170000n).toString(8),
    stat.isSymbolicLink() ? '-' : (stat.mode & 0o7777n).toString(8),
    String(stat.mtimeNs / 1_000n),
    `${stat.uid}:${stat.gid}`,
  ];
  const name = path.toString('latin1');
  if (stat.isSymbolicLink()) return [[...facts, readlinkSync(full, 'latin1'), name].join(' ')];
  if (stat.isFile()) {
    return [[...facts, createHash('sha256').update(readFileSync(full)).digest('hex'), name].join(' ')];
  }
  if (!stat.isDirectory()) return [[...facts, '', name].join(' ')];
  const names = readdirSync(full, { encoding: 'buffer' }).sort(Buffer.compare);
  const below = names.flatMap((entry) => linesOf(root, Buffer.concat([path, Buffer.from('/'), entry])));
  return [[...facts, '', name].join(' '), ...below];
}
