import { copyFile, mkdir, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { BulkheadError } from '@bulkhead/protocol';
import { auditFileName, checkpointFileName, listAuditFiles } from '../audit-files.ts';
import { PUBLIC_KEY_FILE } from '../checkpoint/signing-key.ts';
import { eachLine } from '../each-line.ts';

/**
 * Copies a log, its checkpoints and its public key into a new or empty folder, without the private
 * key. An engine may be writing: checkpoints are copied first, so that the copy has all entries
 * they cover; copies whole lines only.
 * @returns the names of the files
 * @throws BulkheadError `usage` if `target` is not empty
 */
export async function copyLog(folder: string, target: string): Promise<readonly string[]> {
  await mkdir(target, { recursive: true, mode: 0o700 });
  if ((await readdir(target)).length > 0) {
    throw new BulkheadError('usage', `${target} is not empty`, { fix: 'Name a new folder.' });
  }
  const files = await listAuditFiles(folder);
  const names = [...files.checkpoints.map(checkpointFileName), ...files.entries.map(auditFileName)];
  for (const name of names) await copyLines(join(folder, name), join(target, name));
  if (files.checkpoints.length === 0) return names;
  await copyFile(join(folder, PUBLIC_KEY_FILE), join(target, PUBLIC_KEY_FILE));
  return [...names, PUBLIC_KEY_FILE];
}

async function copyLines(from: string, to: string): Promise<void> {
  await using source = await open(from, 'r');
  await using copy = await open(to, 'wx', 0o600);
  let bytes = 0;
  await eachLine(source, (line, offset) => {
    bytes = offset + line.length;
    return true;
  });
  for (let done = 0; done < bytes; ) {
    const { buffer, bytesRead } = await source.read(
      Buffer.alloc(Math.min(1 << 20, bytes - done)),
      0,
      null,
      done,
    );
    if (bytesRead === 0) break;
    await copy.write(buffer, 0, bytesRead);
    done += bytesRead;
  }
  await copy.sync();
}
