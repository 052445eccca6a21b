import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import { Duplex, Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { serveAgent } from '@bulkhead/agent';
import { BulkheadError, type ErrorCode, PROTOCOL_VERSION } from '@bulkhead/protocol';
import type { InitialToolDefs } from '@bulkhead/protocol/agent';
import { boxedNodeArguments, type NodeLimits, type Sandbox } from '@bulkhead/sandbox';
import type { AgentProcess } from '../pools/agent-pool.ts';
import { admitProbed, probeArguments, type SelfProbe } from './self-probe.ts';
import { sparingNodeArguments } from './sparing-node.ts';

/** Longest time until a fresh agent is ready. */
const READY_MS = 10_000;
/** Longest time for the last output of an ended child to arrive. */
const LAST_WORDS_MS = 500;

export interface AgentSpawn {
  readonly sandbox: Pick<Sandbox, 'launch'>;
  readonly nodePath: string;
  /** The agent's bundle: the one file of ours it may read. */
  readonly script: string;
  readonly initialTools: InitialToolDefs;
  /** Attempts that the agent has to make before it receives anything. */
  readonly selfProbe: SelfProbe | 'unboxed';
  readonly limits: NodeLimits;
  /** Receives the lines of an agent's stderr: for diagnosis only. */
  log(pid: number, line: string): void;
}

/**
 * Starts an agent in its box and shakes hands: an empty environment, a fresh token, fd 3 its only
 * channel, stdout discarded [P2, P3, P5].
 *
 * @throws BulkheadError `agent_failed` or `sandbox_unavailable`; no process remains then
 */
export async function spawnAgent(parts: AgentSpawn): Promise<AgentProcess> {
  const token = randomBytes(24).toString('hex');
  const own = ['--token', token, '--protocol', String(PROTOCOL_VERSION)];
  const child = parts.sandbox.launch(
    { kind: 'agent', read: [parts.script], limits: parts.limits },
    {
      file: parts.nodePath,
      args: [
        ...boxedNodeArguments,
        ...sparingNodeArguments,
        parts.script,
        ...own,
        ...probeArguments(parts.selfProbe),
      ],
      cwd: dirname(parts.script),
      env: {},
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    },
  );
  const stderr = followStderr(child, parts.log);
  try {
    const connection = await serveAgent(channelOf(child), {
      token,
      timeoutMs: READY_MS,
      initialTools: parts.initialTools,
      admit: (findings) => admitProbed('agent', parts.selfProbe, findings),
    });
    const events = connection.events[Symbol.asyncIterator]();
    void connection.closed.then(() => child.kill('SIGKILL'));
    return {
      pid: child.pid ?? 0,
      connection,
      next: async () => {
        const { done, value } = await events.next();
        return done === true ? undefined : value;
      },
      kill: () => child.kill('SIGKILL'),
    };
  } catch (cause) {
    child.kill('SIGKILL');
    throw startFailed('agent_failed', 'an agent did not start', cause, await stderr());
  }
}

/** The engine's end of a child's fd 3. */
export function channelOf(child: ChildProcess): Duplex {
  const channel = child.stdio[3];
  if (channel instanceof Duplex) return channel;
  throw new BulkheadError('internal', 'the process has no channel');
}

/**
 * Logs a child's stderr, line by line. The function returns its last lines once it has ended; for a
 * child that doesn't end, those so far.
 */
export function followStderr(
  child: ChildProcess,
  log: (pid: number, line: string) => void,
): () => Promise<string> {
  const last: string[] = [];
  const { stderr } = child;
  const ended = stderr instanceof Readable ? readLines(stderr, child.pid ?? 0, last, log) : Promise.resolve();
  child.on('error', (error) => log(child.pid ?? 0, String(error)));
  return async () => {
    await Promise.race([ended, sleep(LAST_WORDS_MS, undefined, { ref: false })]);
    return last.join(' ');
  };
}

/** Why a process did not start: the engine's reason and the last output of the process. */
export function startFailed(code: ErrorCode, what: string, cause: unknown, stderr: string): BulkheadError {
  const known = BulkheadError.from(cause);
  // A leaking box is not an accident of one process: the error keeps its code and remedy.
  if (known.code === 'sandbox_unavailable') return known;
  const { message, fix } = known;
  const said = stderr === '' ? '' : ` (${stderr})`;
  return new BulkheadError(code, `${what}: ${message}${said}`, {
    fix: fix ?? 'Run `bulkhead doctor` to see whether the sandbox holds here.',
    cause,
  });
}

const KEPT_LINES = 5;
const MAX_LINE = 2_000;
/** Characters of one process that reach the log: a hostile one must not fill the disk. */
const LOG_BUDGET = 64 * 1024;

async function readLines(
  stream: Readable,
  pid: number,
  last: string[],
  log: (pid: number, line: string) => void,
): Promise<void> {
  let rest = '';
  let budget = LOG_BUDGET;
  try {
    for await (const chunk of stream.setEncoding('utf8')) {
      const lines = `${rest}${chunk}`.split('\n');
      rest = (lines.pop() ?? '').slice(0, MAX_LINE);
      for (const line of lines) {
        if (budget > 0) log(pid, line.slice(0, MAX_LINE));
        if (budget > 0 && budget <= line.length + 1) log(pid, '[the rest of what it wrote is dropped]');
        budget -= line.length + 1;
        last.push(line.slice(0, MAX_LINE));
        if (last.length > KEPT_LINES) last.shift();
      }
    }
  } catch {
    // The pipe broke with its process: its output is kept.
  }
}
