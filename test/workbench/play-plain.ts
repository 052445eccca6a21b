import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { masked } from './masks.ts';
import { type Command, commandsOf, type Piece } from './piece.ts';
import { type Place, withPort } from './place.ts';
import type { Play, Played } from './play.ts';
import { readTree } from './read-tree.ts';

/** A command in the background gets this long to begin. */
export const BEGIN_MS = 400;
export const LIMIT_SECONDS = 60;
/** For output of processes that a command leaves. */
const DRAIN_MS = 150;
const MARK = 'BULKHEAD_WORKBENCH_PIECE';

/** Plays a piece with `bash -c`, one command after the other. All processes it started have ended. */
export async function playPlain(piece: Piece, place: Place, port: number): Promise<Play> {
  const commands: Played[] = [];
  const env = { ...place.env, [MARK]: place.top };
  try {
    for (const step of piece.steps) {
      const together = commandsOf(step).map((command) => play(command, { ...place, env }, port));
      commands.push(...(await Promise.all(together)));
    }
  } finally {
    await endAll(`${MARK}=${place.top}`);
  }
  return { commands, tree: readTree(place.top, place.masks, process.getuid?.() === 0) };
}

async function play(command: Command, place: Place, port: number): Promise<Played> {
  const run = withPort(command.run, port);
  // One pipe for both streams, as a terminal has it.
  const child = spawn('/bin/bash', ['-c', 'exec /bin/bash -c "$0" 2>&1', run], {
    cwd: place.folder,
    env: place.env,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const ended = new Promise<number | 'timeout'>((resolve, reject) => {
    const limit = setTimeout(() => {
      child.kill('SIGKILL');
      resolve('timeout');
    }, LIMIT_SECONDS * 1_000);
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      clearTimeout(limit);
      resolve(code ?? 128 + signalNumber(signal));
    });
  });
  const closed = new Promise((resolve) => child.stdout.once('close', resolve));
  const base = { run, questions: [], refusals: [] };
  if (command.background) {
    await sleep(BEGIN_MS);
    return { ...base, exit: undefined, output: '' };
  }
  const exit = await ended;
  await Promise.race([closed, sleep(DRAIN_MS)]);
  return { ...base, exit, output: masked(output, place.masks) };
}

const SIGNALS: Readonly<Record<string, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGABRT: 6,
  SIGKILL: 9,
  SIGUSR1: 10,
  SIGSEGV: 11,
  SIGPIPE: 13,
  SIGALRM: 14,
  SIGTERM: 15,
};

export function signalNumber(name: string | null): number {
  return SIGNALS[name ?? ''] ?? 0;
}

/** Ends every process with this mark in its environment, so that none outlives its piece. */
async function endAll(mark: string): Promise<void> {
  for (let round = 0; round < 20; round += 1) {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && hasMark(name, mark));
    if (pids.length === 0) return;
    for (const pid of pids) kill(Number(pid));
    await sleep(20);
  }
}

function hasMark(pid: string, mark: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(mark);
  } catch {
    return false;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
