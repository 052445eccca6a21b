import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import type { Box } from './box.ts';
import { launcherArguments } from './launcher-arguments.ts';
import { type ProbeOutput, type ProbeResult, readProbeOutput } from './probe-output.ts';
import type { BoxProbe, ProbeReport, Wall } from './probe-report.ts';
import type { SandboxOptions } from './sandbox-options.ts';

/** The machine may be busy; but a starter gives up after 30 s, and then no one says which wall was not tried. */
const PROBE_MILLISECONDS = 20_000;

/**
 * Makes each kind of box around the launcher's own attacks, aimed at objects planted for them.
 * Agents and workers are probed once with Landlock and system call filter alone, and once with name
 * spaces as well: each wall must hold without the other. The report says if the system refuses name
 * spaces. All boxes are attacked concurrently, each with its own objects.
 *
 * @param underWay called when every attack has started, unless one can't start
 */
export async function probeBoxes(options: ProbeOptions, underWay = (): void => {}): Promise<ProbeReport> {
  const folder = await realpath(await mkdtemp(`${options.scratch}/probe-`));
  try {
    const names = ['agent', 'agent-spaces', 'worker', 'worker-spaces', 'shell'] as const;
    await Promise.all(names.map((name) => plant(`${folder}/${name}`, options.launcherPath)));
    await using listener = await listen();
    const port = portOf(listener.server);
    const aimAt = (name: (typeof names)[number]): Aim => ({ options, folder: `${folder}/${name}`, port });
    const attacks = [
      probe(aimAt('agent'), false, 'agent'),
      probe(aimAt('agent-spaces'), true, 'agent'),
      probe(aimAt('worker'), false, 'worker'),
      probe(aimAt('worker-spaces'), true, 'worker'),
      probe(aimAt('shell'), false, 'shell'),
    ] as const;
    underWay();
    // The folder must outlive every attack, even if one fails.
    await Promise.allSettled(attacks);
    const [agentFirst, agentBoth, workerFirst, workerBoth, { landlockAbi, ...shell }] =
      await Promise.all(attacks);
    const agent = joined(agentFirst, agentBoth);
    const worker = joined(workerFirst, workerBoth);
    return {
      ok: agent.ok && worker.ok && shell.ok,
      landlockAbi: agentFirst.landlockAbi || landlockAbi,
      boxes: { agent, worker, shell: { ...shell, walls: ['namespaces', 'seccomp'] } },
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The parts of a sandbox that a probe needs. */
export type ProbeOptions = Pick<SandboxOptions, 'launcherPath' | 'runtimeFiles' | 'scratch'>;

/** The targets of the attacks. */
interface Aim {
  readonly options: ProbeOptions;
  /** With separate objects for this attack. */
  readonly folder: string;
  readonly port: number;
}

const FIRST_WALL: readonly Wall[] = ['landlock', 'seccomp'];

/** @param first with the first wall alone; @param both with name spaces as well */
function joined(
  { landlockAbi: _, ...first }: ProbeResult,
  { landlockAbi: _again, ...both }: ProbeResult,
): BoxProbe {
  if (!first.ok) return { ...first, walls: FIRST_WALL };
  const { reason } = both;
  if (reason !== undefined && both.failed.length === 0 && refusesNameSpaces(reason)) {
    return { ...first, walls: FIRST_WALL, withoutNameSpaces: reason };
  }
  return { ...both, walls: [...FIRST_WALL, 'namespaces'] };
}

function boxOf(kind: 'agent' | 'worker' | 'shell', { options, folder }: Aim): Box {
  const { launcherPath } = options;
  switch (kind) {
    case 'agent':
      return { kind, read: [`${folder}/file`] };
    case 'worker':
      return { kind, read: [`${folder}/file`], write: [`${folder}/work`], execute: [launcherPath] };
    case 'shell':
      return {
        kind,
        workingFolder: `${folder}/work`,
        home: `${folder}/home`,
        readOnly: [`${folder}/file`, launcherPath],
        protect: [`${folder}/work/protected`],
        hide: [`${folder}/work/hidden`],
        deny: [`${folder}/work/denied`],
        limits: { maxProcesses: 256, maxFileBytes: 1024 ** 3, maxOpenFiles: 256 },
      };
  }
}

async function plant(folder: string, launcherPath: string): Promise<void> {
  for (const name of ['', 'closed', 'home', 'work', 'work/protected']) await mkdir(`${folder}/${name}`);
  for (const name of ['secret', 'file', 'home/secret', 'work/hidden', 'work/denied'])
    await writeFile(`${folder}/${name}`, name);
  await copyFile(launcherPath, `${folder}/program`);
  await chmod(`${folder}/program`, 0o700);
}

async function probe(
  aim: Aim,
  nameSpaces: boolean,
  kind: 'agent' | 'worker' | 'shell',
): Promise<ProbeResult> {
  const { options, folder, port } = aim;
  const box = boxOf(kind, aim);
  const args = launcherArguments({
    mode: 'probe',
    box,
    parent: process.pid,
    descriptors: 3,
    cwd: '/',
    nameSpaces,
    runtimeFiles: options.runtimeFiles,
    command: [],
    extra: targets(folder, port, box, options.launcherPath),
  });
  return readProbeOutput(await run(options.launcherPath, args));
}

function targets(folder: string, port: number, box: Box, launcherPath: string): string[] {
  // The shell's secret lies in the folder that its home covers: both walls protect it.
  const secret = box.kind === 'shell' ? `${folder}/home/secret` : `${folder}/secret`;
  const common = [
    '--probe-secret',
    secret,
    '--probe-closed',
    `${folder}/closed`,
    '--probe-file',
    `${folder}/file`,
  ];
  const network = ['--probe-program', `${folder}/program`, '--probe-port', String(port)];
  const changing = ['--probe-folder', `${folder}/work`, '--probe-allowed', launcherPath];
  const inside = ['hidden', 'denied', 'protected'].flatMap((name) => [
    `--probe-${name}`,
    `${folder}/work/${name}`,
  ]);
  if (box.kind === 'agent') return [...common, ...network];
  return box.kind === 'worker'
    ? [...common, ...network, ...changing]
    : [...common, ...network, ...changing, ...inside];
}

function run(launcherPath: string, args: readonly string[]): Promise<ProbeOutput> {
  const limits = { timeout: PROBE_MILLISECONDS, killSignal: 'SIGKILL' } as const;
  return new Promise((resolve) => {
    execFile(
      launcherPath,
      args,
      { ...limits, cwd: '/', env: { NODE_V8_COVERAGE: undefined } },
      (error, stdout, stderr) => {
        const status = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
        resolve({
          status,
          stdout,
          stderr: stderr === '' && error !== null && status === null ? error.message : stderr,
        });
      },
    );
  });
}

async function listen(): Promise<{ server: Server } & AsyncDisposable> {
  const server = createServer((socket) => socket.destroy());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    server,
    [Symbol.asyncDispose]: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

const REFUSED_STEP = /^bulkhead-launcher: (.+): errno (\d+)$/;
/**
 * EPERM, ENOSYS, EINVAL, ENOSPC, EUSERS: forbidden, not built in, or a limit of none
 * (`user.max_user_namespaces`).
 */
const NO_CREATION = new Set([1, 38, 22, 28, 87]);
/**
 * EPERM, EACCES: created without rights, as with AppArmor; or `/proc` partly covered, as in
 * containers.
 */
const NO_RIGHTS = new Set([1, 13]);
const STEPS_OF_RIGHTS = /^(open|write|make mounts private|name the box|mount empty folder|mount)( \/.*)?$/;

/**
 * Whether a launcher's message about a box with name spaces means that this system refuses them.
 * Any other failure is the box's.
 * @param reason the launcher's line
 */
export function refusesNameSpaces(reason: string): boolean {
  const [, step = '', errno = ''] = REFUSED_STEP.exec(reason) ?? [];
  if (step === 'make name spaces') return NO_CREATION.has(Number(errno));
  return STEPS_OF_RIGHTS.test(step) && NO_RIGHTS.has(Number(errno));
}
