import { spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { abstractSocketOf, canaryOf, type ProbeAims, programOf, socketOf } from './probe-aims.ts';

/** An attempt that succeeds in a process without a box. */
export interface Attempt {
  readonly name: string;
  /** Resolves if it succeeds; else throws or rejects with the refusal. */
  readonly run: (aims: ProbeAims) => unknown;
  /**
   * Codes of a refusal by the box. Any other, such as a refused connection, means that the attempt
   * got through.
   */
  readonly refusals: readonly string[];
  /** Further codes for a box in which only granted objects exist. */
  readonly missing?: readonly string[];
  /** Targets files of the folder: proves nothing if the process was granted that folder. */
  readonly onFolder?: true;
  /** Takes milliseconds: made only by processes that are started to prove the box. */
  readonly slow?: true;
}

const FORBIDDEN = ['EPERM', 'EACCES'];
const NO_FILE = ['ENOENT', 'EROFS'];
const NO_PROCESS = ['ENOENT', 'ESRCH'];

/** The attempts for these aims. */
export function attemptsFor(aims: Pick<ProbeAims, 'thorough' | 'folderGranted'>): readonly Attempt[] {
  return attempts.filter(
    ({ slow, onFolder }) => (aims.thorough || slow !== true) && !(aims.folderGranted && onFolder === true),
  );
}

/** A boxed process makes these attempts before it receives anything [FR2]. */
export const attempts: readonly Attempt[] = [
  { name: 'write-file', run: writeFileNow, refusals: FORBIDDEN, missing: NO_FILE, onFolder: true },
  { name: 'write-file-later', run: writeFileLater, refusals: FORBIDDEN, missing: NO_FILE, onFolder: true },
  {
    name: 'write-file-in-thread',
    run: writeFileInThread,
    refusals: FORBIDDEN,
    missing: NO_FILE,
    onFolder: true,
    slow: true,
  },
  { name: 'change-file', run: changeFile, refusals: FORBIDDEN, missing: NO_FILE, onFolder: true },
  {
    name: 'read-file',
    run: (aims) => readFileSync(canaryOf(aims)),
    refusals: FORBIDDEN,
    missing: NO_FILE,
    onFolder: true,
  },
  { name: 'connect-tcp', run: connectTcp, refusals: FORBIDDEN },
  { name: 'send-udp', run: sendUdp, refusals: FORBIDDEN },
  { name: 'connect-socket', run: (aims) => connectTo(socketOf(aims), aims.nonce), refusals: FORBIDDEN },
  { name: 'connect-abstract-socket', run: connectToName, refusals: FORBIDDEN },
  { name: 'listen', run: listen, refusals: FORBIDDEN, slow: true },
  { name: 'start-program', run: startProgram, refusals: FORBIDDEN, missing: NO_FILE },
  { name: 'load-native-code', run: loadNativeCode, refusals: ['ERR_DLOPEN_DISABLED'] },
  { name: 'signal-engine', run: signalEngine, refusals: FORBIDDEN, missing: NO_PROCESS },
  { name: 'read-environment', run: readEnvironment, refusals: FORBIDDEN, missing: NO_PROCESS },
];

function writeFileNow({ folder }: ProbeAims): void {
  const path = `${folder}/made-${process.pid}`;
  writeFileSync(path, '', { flag: 'wx' });
  rmSync(path);
}

async function writeFileLater({ folder }: ProbeAims): Promise<void> {
  const path = `${folder}/made-later-${process.pid}`;
  await writeFile(path, '', { flag: 'wx' });
  await rm(path);
}

const IN_THREAD = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { rmSync, writeFileSync } = require('node:fs');
  try {
    writeFileSync(workerData, '', { flag: 'wx' });
    rmSync(workerData);
    parentPort.postMessage('');
  } catch (error) {
    parentPort.postMessage(error.code);
  }`;

async function writeFileInThread({ folder }: ProbeAims): Promise<void> {
  // Imported only here: most processes start without the slow attempts.
  const { Worker } = await import('node:worker_threads');
  const workerData = `${folder}/made-in-thread-${process.pid}`;
  const thread = new Worker(IN_THREAD, {
    eval: true,
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: 16 },
  });
  const [code] = await once(thread, 'message');
  await thread.terminate();
  if (code !== '') throw Object.assign(new Error(), { code });
}

function changeFile(aims: ProbeAims): void {
  closeSync(openSync(canaryOf(aims), 'r+'));
}

async function connectTo(
  to: string | { readonly host: string; readonly port: number },
  nonce: string,
): Promise<void> {
  const socket = typeof to === 'string' ? connect(to) : connect(to);
  try {
    await once(socket, 'connect');
    // It got through; the listener handles the content.
    socket.on('error', () => {});
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.end(nonce);
    await closed;
  } finally {
    socket.destroy();
  }
}

function connectTcp({ tcpPort, nonce }: ProbeAims): Promise<void> {
  return connectTo({ host: '127.0.0.1', port: tcpPort }, nonce);
}

function connectToName(aims: ProbeAims): Promise<void> {
  return connectTo(abstractSocketOf(aims), aims.nonce);
}

async function sendUdp({ udpPort, nonce }: ProbeAims): Promise<void> {
  const socket = createSocket('udp4');
  try {
    const { promise: failed, reject } = Promise.withResolvers<never>();
    socket.on('error', reject);
    const sent = new Promise<void>((resolve) => socket.send(nonce, udpPort, '127.0.0.1', () => resolve()));
    await Promise.race([sent, failed]);
  } finally {
    socket.close();
  }
}

async function listen(): Promise<void> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.close();
}

function startProgram(aims: ProbeAims): void {
  const { error } = spawnSync(programOf(aims), ['version'], { stdio: 'ignore' });
  if (error !== undefined) throw error;
}

/** The loader was reached and found nothing: it would have loaded an existing file. */
function loadNativeCode({ folder }: ProbeAims): void {
  try {
    process.dlopen({ exports: {} }, `${folder}/no-such-library`);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_DLOPEN_FAILED')) throw error;
  }
}

/** If this process has the engine's outside process id, the engine has none in here. */
function signalEngine({ pid }: ProbeAims): void {
  if (process.ppid === 0 && process.pid === pid) throw Object.assign(new Error(), { code: 'ESRCH' });
  process.kill(pid, 0);
}

function readEnvironment({ pid }: ProbeAims): void {
  readFileSync(`/proc/${pid}/environ`);
}
