import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

/**
 * Everything below a folder that a commit must reproduce, as text: kinds, modes, owners, contents,
 * targets, and shared files. Excludes times, which differ between two runs of the same command.
 */
export function folderState(folder: string): string {
  const lines: string[] = [];
  const names = new Map<string, string[]>();
  walk(Buffer.from(folder), Buffer.alloc(0), lines, names);
  for (const group of names.values()) if (group.length > 1) lines.push(`one file: ${group.join(' ')}`);
  return lines.join('\n');
}

function walk(folder: Buffer, below: Buffer, lines: string[], names: Map<string, string[]>): void {
  const entries = readdirSync(folder, { encoding: 'buffer' }).sort(Buffer.compare);
  for (const name of entries) {
    const path = Buffer.concat([folder, Buffer.from('/'), name]);
    const shown = Buffer.concat([below, name]);
    const stat = lstatSync(path);
    const line = `${shown.toString('latin1')} ${stat.mode.toString(8)} ${stat.uid}:${stat.gid}`;
    if (stat.isSymbolicLink())
      lines.push(`${line} -> ${readlinkSync(path, { encoding: 'buffer' }).toString('latin1')}`);
    else if (stat.isFile()) {
      const hash = createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 16);
      lines.push(`${line} ${stat.size} ${hash}`);
      const same = names.get(String(stat.ino)) ?? [];
      names.set(String(stat.ino), [...same, shown.toString('latin1')]);
    } else lines.push(line);
    if (stat.isDirectory()) walk(path, Buffer.concat([shown, Buffer.from('/')]), lines, names);
  }
}
