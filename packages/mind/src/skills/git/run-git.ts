import { spawn } from 'node:child_process';
import { BulkheadError } from '@bulkhead/protocol';

/**
 * The environment that git receives: how to reach hosts, and the key agent. No login, no settings,
 * no `GIT_*`.
 */
const PASSED_ON =
  /^(PATH|USER|LOGNAME|SSH_AUTH_SOCK|SSL_CERT_FILE|SSL_CERT_DIR|(?:https?|all|no)_proxy|(?:HTTPS?|ALL|NO)_PROXY)$/;

/** Most of what git says about itself that is kept. */
const MAX_ERROR_TEXT = 64 * 1024;

/** Settings of every call: no hook, no filter, no helper, no work in the background. */
const SETTINGS = [
  'core.hooksPath=/dev/null',
  'core.attributesFile=/dev/null',
  'core.symlinks=false',
  'core.fsmonitor=false',
  // Large files are streamed: no object of a stranger is held in memory whole.
  'core.bigFileThreshold=8m',
  'credential.helper=',
  'fetch.fsckObjects=true',
  'fetch.recurseSubmodules=false',
  // Kept as it came, packed: what is counted is what was sent.
  'fetch.unpackLimit=1',
  'pack.threads=2',
  'gc.auto=0',
  'maintenance.auto=false',
  'http.lowSpeedLimit=100',
  'http.lowSpeedTime=30',
] as const;

/** Largest object that is unpacked in memory: a few kilobytes of deltas may stand for any number of gigabytes. */
const MAX_OBJECT = '256m';

/** A private folder that git works in, and the way to a host it may take. */
export interface GitPlace {
  /** Absolute path; the home of all that git starts. */
  readonly folder: string;
  readonly scheme: 'https' | 'ssh' | 'http';
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends git and all it started. Its reason, a BulkheadError, is what the call fails with. */
  readonly signal: AbortSignal;
}

export interface GitAnswer {
  readonly code: number;
  readonly out: Buffer;
  readonly err: string;
}

/**
 * Runs the machine's git: without a shell, without a terminal, without the person's settings, in a process group of its own.
 *
 * @param args words of our own, and addresses that `parseGitAddress` has passed
 * @param maxOutput most bytes on its standard output
 * @throws BulkheadError `not_available` if there is no git; `blocked` for more output; the reason of `place.signal`
 */
export async function runGit(
  place: GitPlace,
  args: readonly string[],
  maxOutput: number,
): Promise<GitAnswer> {
  place.signal.throwIfAborted();
  const settings = [...SETTINGS, `http.followRedirects=${place.scheme === 'https' ? 'initial' : 'false'}`];
  const child = spawn('git', [...settings.flatMap((setting) => ['-c', setting]), ...args], {
    cwd: place.folder,
    env: variables(place),
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that the programs git starts end with it; and no terminal that one of them could ask at.
    detached: true,
  });
  const out: Buffer[] = [];
  let size = 0;
  let err = '';
  let failure: unknown;
  const end = (reason: unknown) => {
    failure ??= reason;
    endGroup(child.pid);
  };
  const abort = () => end(place.signal.reason);
  place.signal.addEventListener('abort', abort, { once: true });
  child.stdout.on('data', (bytes: Buffer) => {
    size += bytes.byteLength;
    if (size > maxOutput) end(tooMuch());
    else out.push(bytes);
  });
  child.stderr.on('data', (bytes: Buffer) => {
    err = `${err}${bytes.toString('utf8')}`.slice(-MAX_ERROR_TEXT);
  });
  try {
    const code = await ended(child);
    if (failure !== undefined) throw failure;
    return { code, out: Buffer.concat(out), err };
  } finally {
    place.signal.removeEventListener('abort', abort);
  }
}

function ended(child: ReturnType<typeof spawn>): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  child.once('error', (cause) => reject(noGit(cause)));
  child.once('close', (code) => resolve(code ?? -1));
  return promise;
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

function variables({ folder, scheme, env }: GitPlace): Record<string, string | undefined> {
  return {
    ...Object.fromEntries(Object.entries(env).filter(([name]) => PASSED_ON.test(name))),
    HOME: folder,
    LC_ALL: 'C',
    GIT_ALLOW_PROTOCOL: scheme,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_LFS_SKIP_SMUDGE: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_ALLOC_LIMIT: MAX_OBJECT,
    // No one can answer a question about keys or hosts.
    GIT_SSH_COMMAND: 'ssh -oBatchMode=yes',
    GIT_SSH_VARIANT: 'ssh',
  };
}

function noGit(cause: Error): BulkheadError {
  return new BulkheadError('not_available', 'git can not be started: it fetches skills from repositories', {
    fix: 'Install git and see that it is on the PATH, or give a folder or an archive.',
    cause,
  });
}

function tooMuch(): BulkheadError {
  return new BulkheadError('blocked', 'what the address names is larger than a skill may be', {
    fix: 'Name the folder of the skill alone: URL#REF:FOLDER',
  });
}
