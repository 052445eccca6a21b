import { spawnSync } from 'node:child_process';
import { BulkheadError } from '@bulkhead/protocol';

/** A keychain may ask its owner to unlock it; this is the longest wait. */
const LIMIT_MS = 10_000;
const MAX_BYTES = 4_000_000;

/** Variables that the tools need to find the session's keychain. No keys. */
const PASSED_ON =
  /^(PATH|HOME|USER|LOGNAME|LANG|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_.*|DBUS_SESSION_BUS_ADDRESS)$/;

export type ProcessVariables = Readonly<Record<string, string | undefined>>;

export interface ToolAnswer {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/**
 * Runs a program of the system's keychain. Secrets go through standard input and output: the list
 * of processes shows arguments to everyone.
 *
 * @param call.out false: its standard output is discarded unread
 * @throws BulkheadError `not_available` if the program is missing or does not answer within 10 s
 */
export function runKeychainTool(call: {
  readonly program: string;
  readonly missing: string;
  readonly environment: ProcessVariables;
  readonly args: readonly string[];
  readonly input?: string;
  readonly out?: boolean;
}): ToolAnswer {
  const { program } = call;
  const result = spawnSync(program, [...call.args], {
    env: Object.fromEntries(Object.entries(call.environment).filter(([name]) => PASSED_ON.test(name))),
    input: call.input ?? '',
    stdio: ['pipe', call.out === false ? 'ignore' : 'pipe', 'pipe'],
    encoding: 'utf8',
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
    maxBuffer: MAX_BYTES,
  });
  if (result.error !== undefined || result.status === null) {
    const code = result.error !== undefined && 'code' in result.error ? result.error.code : result.signal;
    const absent = code === 'ENOENT';
    throw new BulkheadError(
      'not_available',
      absent
        ? `the keychain needs \`${program}\`, and it is not installed`
        : `\`${program}\` did not answer (${String(code)})`,
      { fix: absent ? call.missing : 'Unlock the keychain, or set secrets.store to file in config.yaml.' },
    );
  }
  return { status: result.status, out: result.stdout ?? '', err: result.stderr };
}

/**
 * For an answer that is neither success nor "no such item". The tool's output is left out: it may
 * contain secrets.
 */
export function keychainFailed(program: string, what: string, { status }: ToolAnswer): BulkheadError {
  return new BulkheadError(
    'not_available',
    `the keychain could not ${what} (\`${program}\` ended with ${status})`,
    {
      fix: `Unlock the keychain and try \`${program}\` by hand, or set secrets.store to file in config.yaml.`,
    },
  );
}
