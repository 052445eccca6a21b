import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { BulkheadError, describeError } from '@bulkhead/protocol';

/** The outcome of a command whose scratch folder remained after a crash. It is durable. */
export type RecoveredAs = 'committed' | 'dropped';

/** The largest possible journal is undone in well under this time. */
const TIMEOUT_MS = 300_000;

/**
 * Rolls back an unfinished commit, or cleans up after a finished one. Repeatable; no other process
 * may use the folder.
 *
 * @param folders absolute: the working folder and the scratch folder of the command
 * @throws BulkheadError `tool_failed` if neither state could be reached: no command may run in the
 * folder
 */
export async function recoverTransaction(
  launcherPath: string,
  folders: { readonly work: string; readonly scratch: string },
): Promise<RecoveredAs> {
  const args = ['recover', folders.work, folders.scratch];
  const said = await promisify(execFile)(launcherPath, args, {
    env: {},
    encoding: 'buffer',
    timeout: TIMEOUT_MS,
    maxBuffer: 64 * 1024,
  }).catch((cause: unknown) => {
    throw failed(folders, describeFailure(cause), cause);
  });
  const answer = said.stdout.toString('latin1').replace(/\0$/, '');
  if (answer === 'committed' || answer === 'dropped') return answer;
  throw failed(folders, `it said ${JSON.stringify(answer.slice(0, 80))}`);
}

/** The launcher prints the failure; without it, the system's error is used. */
function describeFailure(cause: unknown): string {
  const output = cause instanceof Error && 'stdout' in cause ? cause.stdout : undefined;
  const said = Buffer.isBuffer(output) ? output.toString('utf8').replaceAll('\0', ' ').trim() : '';
  return said === '' ? describeError(cause) : said.slice(0, 300);
}

function failed(
  { work, scratch }: { readonly work: string; readonly scratch: string },
  why: string,
  cause?: unknown,
): BulkheadError {
  return new BulkheadError(
    'tool_failed',
    `what a command left half done in ${work} could not be undone: ${why}`,
    {
      fix: `Look at that folder; its former files are in ${scratch}. \`bulkhead restart\` tries again`,
      cause,
      details: { work, scratch },
    },
  );
}
