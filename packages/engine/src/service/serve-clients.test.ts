import { once } from 'node:events';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { homeLayout, systemTimers } from '@bulkhead/protocol';
import { ClientService } from '@bulkhead/protocol/client';
import { BackgroundCommands } from '@bulkhead/tools';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AccessDesk } from '../access/access-desk.ts';
import { ApprovalDesk } from '../approvals/approval-desk.ts';
import { GrpcConnection } from '../client/grpc-connection.ts';
import type { FlowDesk } from '../flow/flow-desk.ts';
import type { MemoryClientDesk } from '../memory/client-desk.ts';
import type { SessionTree } from '../session/session-tree.ts';
import type { Sessions } from '../session/sessions.ts';
import type { SettingsDesks } from '../settings/open-settings.ts';
import { openSkills } from '../skills/open-skills.ts';
import { UndoDesk } from '../snapshots/undo-desk.ts';
import { openTestChronicle } from '../testing/open-test-chronicle.ts';
import { runStage } from '../testing/run-stage.ts';
import { FolderQueue } from '../transactions/folder-queue.ts';
import { TrustStore } from '../trust/trust-store.ts';
import type { ConsoleDesks } from './console-calls.ts';
import { type ClientServer, serveClients } from './serve-clients.ts';

const UNCHANGED = { now: 0, changed: false, counted: 0 };

let folder: string;
let server: ClientServer;
const layout = () => homeLayout(folder);

async function serve(): Promise<ClientServer> {
  const { log, clock, ids } = runStage();
  const facts = {
    supervisorPid: 1,
    startedAt: 0,
    httpAddress: () => '',
    model: () => 'p/m',
    processes: () => [],
    notices: () => [],
    boxes: [],
    sandbox: () => 'on' as const,
    providerKeys: () => [],
  };
  const sessions = { activeRuns: 0 } as Sessions;
  const approvals = new ApprovalDesk({
    clock,
    machine: { sinceBoot: () => clock.monotonic() },
    timers: systemTimers,
    ids,
    timeoutMs: 1,
    mayAnswer: () => true,
    remember: () => {},
  });
  const trust = new TrustStore({ layout: layout(), audit: { append: async () => [] }, clock });
  const { chronicle, rollbacks } = openTestChronicle(layout().chronicle);
  const undo = new UndoDesk({
    entriesOf: async () => [],
    labels: { restoring: () => {}, restored: () => {} },
    chronicle,
    rollbacks,
    queue: new FolderQueue(),
    audit: { append: async () => [] },
    ids,
    isOpen: () => false,
    needIdle: () => {},
  });
  const tree = {} as SessionTree;
  const flow = {} as FlowDesk;
  const memory = {} as MemoryClientDesk;
  const background = new BackgroundCommands();
  return await serveClients(
    layout(),
    {
      sessions,
      tree,
      ids,
      clock,
      log,
      approvals,
      clientCalls: { submit: () => false },
      onError: () => {},
      losses: { accept: async () => '' },
      refuseChange: () => {},
      trust,
      background,
      chronicle,
      undo,
      auditLog: { rotateKey: async () => ({ from: 'a', to: 'b' }), sign: async () => undefined },
      auditFolder: layout().audit,
      flow,
      memory,
      context: { read: () => Promise.reject(new Error('not here')) },
      skills: openSkills({
        environment: {},
        layout: layout(),
        trust,
        audit: { append: async () => [] },
        clock,
        tell: () => {},
      }).desks,
      access: {} as AccessDesk,
      console: {} as ConsoleDesks,
      audit: { append: async () => [] },
      time: { confirmable: UNCHANGED, confirmClock: () => UNCHANGED },
      settings: {} as SettingsDesks,
      redact: (text) => text,
      facts,
      handOverKeys: () => {},
      stop: async () => 0,
    },
    { onError: () => {} },
  );
}

async function statusWith(token: string): Promise<string> {
  using connection = GrpcConnection.open(layout().socket, token);
  return (await connection.unary(ClientService.method.status, {})).model;
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bulkhead-clients-'));
  mkdirSync(layout().run, { recursive: true, mode: 0o700 });
  server = await serve();
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('serveClients', () => {
  it('answers who has the token, and nobody else [P7]', async () => {
    const token = readFileSync(layout().token, 'utf8');
    await expect(statusWith(token)).resolves.toBe('p/m');
    for (const wrong of ['', 'x', token.slice(1), `${token}x`, token.toUpperCase()]) {
      await expect(statusWith(wrong)).rejects.toMatchObject({ code: 'unauthenticated' });
    }
  });

  it('refuses the token of an earlier life [P7]', async () => {
    const earlier = readFileSync(layout().token, 'utf8');
    await server.close();
    server = await serve();
    await expect(statusWith(earlier)).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it('takes a squatted path: a link, a file, a socket that somebody else listens on [FT95]', async () => {
    await server.close();
    const elsewhere = join(folder, 'elsewhere');
    writeFileSync(elsewhere, 'kept');
    const impostor = createServer((socket) => socket.destroy());
    const squats = [
      () => symlinkSync(elsewhere, layout().socket),
      () => writeFileSync(layout().socket, ''),
      () => once(impostor.listen(layout().socket), 'listening'),
    ];
    for (const squat of squats) {
      await squat();
      server = await serve();
      await expect(statusWith(readFileSync(layout().token, 'utf8'))).resolves.toBe('p/m');
      expect(lstatSync(layout().socket).isSocket()).toBe(true);
      expect(readFileSync(elsewhere, 'utf8')).toBe('kept');
      await server.close();
    }
    impostor.close();
    server = await serve();
  });

  it('takes away only its own socket at the end, not what was put in its place [FT95]', async () => {
    rmSync(layout().socket);
    writeFileSync(layout().socket, 'of another');
    await server.close();
    expect(readFileSync(layout().socket, 'utf8')).toBe('of another');
    server = await serve();
  });

  it('keeps socket and token to their owner, and takes both away at the end', async () => {
    expect(statSync(layout().socket).mode & 0o777).toBe(0o600);
    expect(statSync(layout().token).mode & 0o777).toBe(0o600);
    await server.close();
    expect(() => statSync(layout().socket)).toThrow('ENOENT');
    expect(() => statSync(layout().token)).toThrow('ENOENT');
    server = await serve();
  });
});
