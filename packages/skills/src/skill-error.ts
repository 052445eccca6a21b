import { BulkheadError } from '@bulkhead/protocol';

/** @param line of the file, from 1 */
export function badSkillFile(fileName: string, line: number, what: string, cause?: unknown): BulkheadError {
  return new BulkheadError('config_invalid', `${fileName}:${line}: ${what}`, {
    fix: `Correct ${fileName}.`,
    details: { file: fileName, line },
    cause,
  });
}
