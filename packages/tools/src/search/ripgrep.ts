import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { Descriptor } from '@bulkhead/files';
import { BulkheadError } from '@bulkhead/protocol';

/**
 * Options of every search: no configuration, no helper programs, no links, no `.git`; ignore files
 * apply.
 */
const FIXED_ARGUMENTS = [
  '--no-config',
  '--no-messages',
  '--no-ignore-messages',
  '--no-require-git',
  '--no-ignore-global',
  '--no-follow',
  '--hidden',
  '--sort=path',
  '--color=never',
];
const TIME_LIMIT_MS = 60_000;
/** A search without output for this long may be blocked by a special file. */
const STALLED_MS = 600;
const MAX_COMPLAINT_BYTES = 2_000;

export interface Search {
  readonly ripgrep: string;
  /**
   * The files to search: all below one open folder, or some open files, in this order. None is
   * looked up again by name.
   */
  readonly within: Descriptor | readonly Descriptor[];
  /** Text from a model is allowed only after `-e` or inside `--option=value`. */
  readonly arguments: readonly string[];
  readonly separator: number;
  readonly maxPieceBytes: number;
  /** Returns what blocks a search; undefined if it is only slow. */
  readonly whyStalled: (signal: AbortSignal) => Promise<BulkheadError | undefined>;
}

/**
 * Runs ripgrep and yields its output piece by piece; stops it when the caller stops listening. A
 * piece longer than the limit is yielded as undefined.
 * @throws BulkheadError `tool_failed` with ripgrep's complaint, `timeout` after 60 s, `cancelled`
 */
export async function* searchOutput(search: Search, signal: AbortSignal): AsyncGenerator<Buffer | undefined> {
  if (signal.aborted) throw new BulkheadError('cancelled', 'cancelled');
  const limit = AbortSignal.timeout(TIME_LIMIT_MS);
  const stalled = new AbortController();
  const stop = AbortSignal.any([signal, limit, stalled.signal]);
  const { child, stdout, stderr } = start(search);
  const ended = once(child, 'close');
  // Awaited below; without a listener a failed start or kill would end the worker.
  ended.catch(() => undefined);
  child.on('error', () => undefined);
  const halt = () => {
    child.kill('SIGKILL');
    // If the box forbids signals to children, a closed pipe ends the search at its next output.
    stdout.destroy();
    stderr.destroy();
  };
  stop.addEventListener('abort', halt, { once: true });
  const complaint = readComplaint(stderr);
  using watch = watchStalls(() => {
    search.whyStalled(stop).then(
      (reason) => reason && stalled.abort(reason),
      () => undefined,
    );
  });
  try {
    for await (const piece of splitOutput(stdout, search.separator, search.maxPieceBytes)) {
      watch.rest();
      yield piece;
      watch.start();
    }
    watch.rest();
    refuseFailure((await ended)[0], await complaint);
  } catch (error) {
    if (limit.aborted)
      throw new BulkheadError('timeout', `the search took longer than ${TIME_LIMIT_MS / 1000} s`);
    if (signal.aborted) throw new BulkheadError('cancelled', 'cancelled');
    if (stalled.signal.aborted) throw stalled.signal.reason;
    throw BulkheadError.is(error)
      ? error
      : new BulkheadError('tool_failed', 'the search could not be run', { cause: error });
  } finally {
    stop.removeEventListener('abort', halt);
    halt();
  }
}

interface StallWatch extends Disposable {
  start(): void;
  rest(): void;
}

/** Runs from the start. */
function watchStalls(onStall: () => void): StallWatch {
  let timer = setTimeout(onStall, STALLED_MS);
  const rest = () => clearTimeout(timer);
  return {
    start: () => {
      timer = setTimeout(onStall, STALLED_MS);
    },
    rest,
    [Symbol.dispose]: rest,
  };
}

/**
 * ripgrep also fails for files it could not open, silently under --no-messages; its matches are
 * still valid.
 */
function refuseFailure(code: unknown, complaint: string): void {
  if (typeof code === 'number' && (code <= 1 || complaint === '')) return;
  throw new BulkheadError('tool_failed', complaint || 'the search failed');
}

/** The first descriptor of a child after the standard three. */
const FIRST_DESCRIPTOR = 3;

/**
 * Index in `Search.within` of the file that ripgrep calls `path`; undefined if it is none of them.
 */
export function placeOfFile(path: Buffer): number | undefined {
  const number = /^\/proc\/self\/fd\/(\d+)$/.exec(path.toString('latin1'))?.[1];
  return number === undefined ? undefined : Number(number) - FIRST_DESCRIPTOR;
}

function start(search: Search): { child: ChildProcess; stdout: Readable; stderr: Readable } {
  const { within } = search;
  const files = within instanceof Descriptor ? [] : within.map(({ fd }) => fd);
  const targets =
    within instanceof Descriptor
      ? ['./']
      : files.map((_, place) => `/proc/self/fd/${place + FIRST_DESCRIPTOR}`);
  const child = spawn(
    search.ripgrep,
    [...FIXED_ARGUMENTS, ...search.arguments, '--glob=!.git', '--', ...targets],
    {
      cwd: within instanceof Descriptor ? within.path : '/',
      env: {},
      stdio: ['ignore', 'pipe', 'pipe', ...files],
    },
  );
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new BulkheadError('tool_failed', 'the search has no output');
  return { child, stdout, stderr };
}

async function readComplaint(stream: Readable): Promise<string> {
  let text = '';
  try {
    for await (const chunk of stream) {
      if (text.length < MAX_COMPLAINT_BYTES) text += String(chunk);
    }
  } catch {
    // The process was stopped; its output so far is complete.
  }
  return text.slice(0, MAX_COMPLAINT_BYTES).replace(/^rg: /, '').trim();
}

/**
 * Pieces between separators in a stream of bytes; a longer piece than `maxBytes` is dropped and
 * yields undefined once.
 */
export async function* splitOutput(
  chunks: AsyncIterable<Buffer>,
  separator: number,
  maxBytes: number,
): AsyncGenerator<Buffer | undefined> {
  let parts: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let at = chunk.indexOf(separator); at >= 0; at = chunk.indexOf(separator, start)) {
      const piece = chunk.subarray(start, at);
      yield bytes + piece.length > maxBytes ? undefined : Buffer.concat([...parts, piece]);
      parts = [];
      bytes = 0;
      start = at + 1;
    }
    const rest = chunk.subarray(start);
    bytes += rest.length;
    if (bytes > maxBytes) parts = [];
    else if (rest.length > 0) parts.push(rest);
  }
  if (bytes > 0) yield bytes > maxBytes ? undefined : Buffer.concat(parts);
}
