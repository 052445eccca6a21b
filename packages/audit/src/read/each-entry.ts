import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { auditFileName, listAuditFiles } from '../audit-files.ts';
import { eachLine } from '../each-line.ts';

/**
 * Calls `visit` for each complete line of the log, in order. Verifies nothing: the numbers are the
 * expected ones.
 * @param visit receives the line after a byte 0x00, and its number from 1; false stops
 */
export async function eachEntry(
  folder: string,
  visit: (line: Buffer, n: number) => boolean,
  signal?: AbortSignal,
): Promise<void> {
  let n = 0;
  let going = true;
  for (const number of (await listAuditFiles(folder)).entries) {
    if (!going) return;
    await using file = await open(join(folder, auditFileName(number)), 'r');
    const visitLine = (line: Buffer): boolean => {
      n += 1;
      going = visit(line, n);
      return going;
    };
    await eachLine(file, visitLine, signal);
  }
}
