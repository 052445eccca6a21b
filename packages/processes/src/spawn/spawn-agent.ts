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

/** How long a fresh agent may take until it is ready. */
const READY_MS = 10_000;
/** How long the last words of a child that was ended may take to arrive. */
const LAST_WORDS_MS = 500;

export interface AgentSpawn {
  readonly sandbox: Pick<Sandbox, 'launch'>;
  readonly nodePath: string;
  /** The agent's bundle: the one file of ours it may read. */
  readonly script: string;
  readonly initialTools: InitialToolDefs;
  /** What the agent has to try before it is told anything. */
  readonly selfProbe: SelfProbe | 'unboxed';
  readonly limits: NodeLimits;
  /** Lines an agent wrote to its stderr: for diagnosis only. */
  log(pid: number, line: string): void;
}

/**
 * Starts an agent in its box and shakes hands: an empty environment, a fresh token, fd 3 its only channel, stdout
 * nowhere [P2, P3, P5].
 *
 * @throws BulkheadError `agent_failed` or `sandbox_unavailable`; no process is left then
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
 * Logs what a child says on stderr, line by line. The function gives its last lines, once it has said all; of a child
 * that doesn't end it gives what came so far.
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

/** Why a process did not start: the engine's reason and what the process itself said last. */
export function startFailed(code: ErrorCode, what: string, cause: unknown, stderr: string): BulkheadError {
  const known = BulkheadError.from(cause);
  // A box that leaks is no accident of one process: it keeps its name and its remedy.
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
    // The pipe broke with its process: what it said is kept.
  }
}
