import { BulkheadError } from '@bulkhead/protocol';
import { readPrivateFile } from '../config/file/read-private-file.ts';
import { replaceFile } from '../config/file/replace-file.ts';
import { type ClockState, clockStateSchema } from './clock-state.ts';

/**
 * Reads the last engine's state of time.
 * @returns undefined if no engine has written it yet
 * @throws BulkheadError `store_corrupt`; `config_invalid` if the file is not private
 */
export function readClockFile(path: string): ClockState | undefined {
  const text = readPrivateFile(path)?.text;
  if (text === undefined) return undefined;
  try {
    return clockStateSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new BulkheadError('store_corrupt', `the confirmed time in ${path} can't be read`, {
      cause,
      fix: 'Move the file away: time is counted anew then, and everything is kept for longer.',
    });
  }
}

/** On disk when it returns. @throws BulkheadError `not_available` */
export function writeClockFile(path: string, state: ClockState): void {
  replaceFile(path, `${JSON.stringify(state)}\n`);
}
