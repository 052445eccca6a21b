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
import { GrpcConnection } from '@bulkhead/client/testing';
import { homeLayout } from '@bulkhead/protocol';
import { ClientService } from '@bulkhead/protocol/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serviceStage } from '../testing/service-stage.ts';
import { type ClientServer, serveClients } from './serve-clients.ts';

let folder: string;
let server: ClientServer;
const layout = () => homeLayout(folder);

async function serve(): Promise<ClientServer> {
  return await serveClients(layout(), serviceStage(layout()), { onError: () => {} });
}

async function statusWith(token: string): Promise<string> {
  using connection = GrpcConnection.open(layout().socket, token, 'cli');
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
  it('answers only those who have the token [P7]', async () => {
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
