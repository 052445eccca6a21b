import { hash } from 'node:crypto';
import { open, truncate } from 'node:fs/promises';
import { basename } from 'node:path';
import type { AuditInput } from './audit-entry.ts';

/**
 * Repairs an incomplete write after a crash. @returns its record, to be written before any other
 */
export type Mend = () => Promise<AuditInput>;

/** @param offset in bytes, of the line without its line break */
export function completeLine(path: string, offset: number, torn: Buffer): Mend {
  return async () => {
    await using file = await open(path, 'a');
    await file.appendFile('\n');
    await file.sync();
    return repaired(path, offset, torn, 0, 'the line break of the last entry was missing');
  };
}

/** @param offset in bytes, of the removed line */
export function cutLine(path: string, offset: number, torn: Buffer): Mend {
  return async () => {
    await truncate(path, offset);
    await using file = await open(path, 'a');
    await file.sync();
    return repaired(path, offset, torn, torn.length, 'the last line was incomplete');
  };
}

function repaired(path: string, offset: number, torn: Buffer, bytes: number, reason: string): AuditInput {
  const details = {
    file: basename(path),
    offset,
    bytes,
    sha256: hash('sha256', torn),
    reason,
  };
  return { step: 'REPAIRED', action: '', hash: '', session: '', tool: '', details };
}
