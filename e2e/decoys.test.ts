import { execFileSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { ofType } from './support/event-lines.ts';
import { unjudgedCommands } from './support/unjudged-commands.ts';
import { useStage } from './support/use-stage.ts';

const stage = useStage();

/** Somebody else's service: what it is, how a program reaches it, and how often it was reached. */
interface Decoy {
  readonly name: string;
  /** A command that reaches it and then says `reached`. */
  readonly knock: string;
  readonly hits: () => number;
  readonly close: () => void;
}

/** @param before what comes before the name: nothing, or the zero byte of a name that is no file's */
const knockAt = (name: string, before = '') =>
  `perl -MSocket -e 'socket(S, PF_UNIX, SOCK_STREAM, 0) && connect(S, pack_sockaddr_un("${before}" . shift)) && print "reached"' '${name}'`;

async function listen(
  name: string,
  target: { host?: string; path?: string },
  knock: (port: number) => string,
) {
  let hits = 0;
  const server: Server = createServer((socket) => {
    hits += 1;
    socket.destroy();
  });
  server.listen(target.path === undefined ? { host: target.host ?? '127.0.0.1', port: 0 } : target);
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { name, knock: knock(port), hits: () => hits, close: () => server.close() } satisfies Decoy;
}

async function datagrams(host: string): Promise<Decoy> {
  let hits = 0;
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4', () => {
    hits += 1;
  });
  socket.bind(0, host);
  await once(socket, 'listening');
  const { port } = socket.address();
  return {
    name: `datagrams at ${host}`,
    knock: `echo hello > /dev/udp/${host}/${port}`,
    hits: () => hits,
    close: () => socket.close(),
  };
}

/**
 * Opens the services that commonly listen on a developer's machine, at this test's own places
 * instead of the real ones.
 */
async function decoys(userHome: string, temporary: string, folder: string): Promise<readonly Decoy[]> {
  const tcp = (name: string, host: string) =>
    listen(name, { host }, (port) => `exec 3<>/dev/tcp/${host}/${port} && echo reached`);
  const path = async (name: string, at: string) => {
    mkdirSync(dirname(at), { recursive: true });
    return await listen(name, { path: at }, () => knockAt(at));
  };
  const abstract = (name: string) => listen(name, { path: `\0${name}` }, () => knockAt(name, '\\0'));
  const lan = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .slice(0, 1);
  const six = Object.values(networkInterfaces()).some((own) => own?.some(({ family }) => family === 'IPv6'));
  return [
    await tcp('a database', '127.0.0.1'),
    await tcp('a development server', '127.0.0.2'),
    ...(six ? [await tcp('a service on version 6', '::1'), await datagrams('::1')] : []),
    ...(await Promise.all(lan.map(({ address }) => tcp('a service of the own network', address)))),
    await datagrams('127.0.0.1'),
    await path('the Docker socket', join(userHome, '.docker/run/docker.sock')),
    await path('Podman', join(userHome, '.local/share/containers/podman.sock')),
    await path('the agent of GPG', join(userHome, '.gnupg/S.gpg-agent')),
    await path('the agent of SSH', join(temporary, 'ssh-XXXXdecoy/agent.77')),
    await path('an X server', join(temporary, '.X11-unix/X77')),
    await path('Wayland', join(temporary, 'run/wayland-0')),
    await path('the bus of the session', join(temporary, 'run/bus')),
    await path('PulseAudio', join(temporary, 'run/pulse/native')),
    await path('the bus of the system', join(temporary, 'dbus/system_bus_socket')),
    await path('a keyring', join(temporary, 'run/keyring/control')),
    await path('a terminal multiplexer', join(temporary, 'tmux-0/default')),
    await path('an editor', join(temporary, 'vscode-ipc.sock')),
    await path('a database in the working folder', join(folder, 'db.sock')),
    await abstract(`/tmp/.X11-unix/X-decoy-${process.pid}`),
    await abstract(`/tmp/dbus-decoy-${process.pid}`),
    await abstract(`/org/kernel/decoy-${process.pid}`),
  ];
}

it('a command reaches none of the services that listen on its machine [B2] [FT96]', async () => {
  const temporary = mkdtempSync(join(tmpdir(), 'bulkhead-decoys-'));
  const open = await decoys(stage().userHome, temporary, stage().folder);
  try {
    expect(open.length).toBeGreaterThanOrEqual(20);
    // Each decoy listens, and the very command that the box is tried with reaches it from outside.
    for (const { knock } of open) execFileSync('bash', ['-c', knock], { timeout: 60_000 });
    await expect.poll(() => open.filter(({ hits }) => hits() === 0).map(({ name }) => name)).toEqual([]);
    const before = open.map(({ hits }) => hits());
    await stage().model(
      [
        { toolCalls: open.map(({ knock }) => ({ name: 'bash', args: { command: knock } })) },
        { text: 'done' },
      ],
      { config: unjudgedCommands(stage()) },
    );
    const { events } = await stage().cli(['run', '--json', '--approve', 'deny', 'go']);
    const outputs = ofType(events, 'tool_output');
    expect(outputs).toHaveLength(open.length);
    expect(outputs.filter(({ text }) => text.includes('reached'))).toEqual([]);
    expect(open.filter(({ hits }, index) => hits() !== before[index]).map(({ name }) => name)).toEqual([]);
  } finally {
    for (const { close } of open) close();
    rmSync(temporary, { recursive: true, force: true });
  }
});
