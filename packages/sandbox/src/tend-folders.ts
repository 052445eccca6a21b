import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { BulkheadError, describeError } from '@bulkhead/protocol';

/** Size and age of folders that commands wrote. */
export interface FolderSize {
  /** Space on the disk. */
  readonly bytes: number;
  /** Files and folders. */
  readonly names: number;
  /** Time of the latest change of anything in them, milliseconds since 1970. */
  readonly latest: number;
  /** False if there is more than was counted. */
  readonly isWhole: boolean;
}

const MEASURE_MS = 60_000;
const REMOVE_MS = 600_000;
const ANSWER = /^(\d+) (\d+) (\d+\.\d{9}) (whole|cut)\n$/;

/** @throws BulkheadError `tool_failed` */
export async function measureFolders(launcherPath: string, folders: readonly string[]): Promise<FolderSize> {
  const said = await ask(launcherPath, ['measure', ...folders], MEASURE_MS, 'measured');
  const [, bytes, names, latest, end] = ANSWER.exec(said) ?? [];
  if (end === undefined) throw failed('measured', folders, `it said ${JSON.stringify(said.slice(0, 80))}`);
  return {
    bytes: Number(bytes),
    names: Number(names),
    latest: Number(latest) * 1_000,
    isWhole: end === 'whole',
  };
}

/** @throws BulkheadError `tool_failed` */
export async function removeFolders(launcherPath: string, folders: readonly string[]): Promise<void> {
  if (folders.length > 0) await ask(launcherPath, ['remove', ...folders], REMOVE_MS, 'removed');
}

async function ask(
  launcherPath: string,
  args: readonly string[],
  timeout: number,
  what: 'measured' | 'removed',
): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(launcherPath, [...args], {
      env: {},
      timeout,
      maxBuffer: 64 * 1024,
    });
    return stdout;
  } catch (cause) {
    throw failed(what, args.slice(1), describeFailure(cause), cause);
  }
}

/** The launcher prints the failure; without it, the system's error is used. */
function describeFailure(cause: unknown): string {
  const said = cause instanceof Error && 'stderr' in cause ? String(cause.stderr).trim() : '';
  return said === '' ? describeError(cause) : said.slice(0, 300);
}

function failed(
  what: 'measured' | 'removed',
  folders: readonly string[],
  why: string,
  cause?: unknown,
): BulkheadError {
  return new BulkheadError('tool_failed', `${folders[0] ?? 'a folder'} could not be ${what}: ${why}`, {
    fix: 'Look at the folder and at the disk, then try again',
    cause,
  });
}
