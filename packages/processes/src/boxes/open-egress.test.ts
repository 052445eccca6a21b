import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BulkheadError } from '@bulkhead/protocol';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { egressIn, networkUse } from './open-egress.ts';

let run: string;
beforeEach(() => {
  run = mkdtempSync(join(tmpdir(), 'bulkhead-out-'));
});
afterEach(() => rmSync(run, { recursive: true, force: true }));

async function ask(socketPath: string, place: string): Promise<void> {
  const socket = connect(socketPath);
  socket.write(`CONNECT ${place} HTTP/1.1\r\nHost: ${place}\r\n\r\n`);
  for await (const _ of socket);
}

it('opens the granted port of a host alone, and the ports of the web for hosts of the call [B4]', async () => {
  const dialled: string[] = [];
  const open = egressIn(run, {
    objectionTo: () => undefined,
    connect: ({ host, port }) => {
      dialled.push(`${host.text}:${port}`);
      return Promise.reject(new BulkheadError('tool_failed', 'no server in this test'));
    },
  });
  const wayOut = { hosts: ['named.test'], granted: ['granted.test:8443'] };
  await using proxy = await open(wayOut);
  const places = [
    'named.test:443',
    'named.test:8443',
    'granted.test:8443',
    'granted.test:443',
    'a.granted.test:8443',
  ];
  for (const place of places) await ask(proxy.socketPath, place);
  expect(dialled).toEqual(['named.test:443', 'granted.test:8443']);
  expect(networkUse(proxy).needed).toEqual(['named.test:8443', 'granted.test:443', 'a.granted.test:8443']);
});

it('leaves a home nearly as long a path as its engine’s own socket does', async () => {
  const deep = join(run, 'd'.repeat(87 - run.length - 1));
  mkdirSync(deep);
  const open = egressIn(deep, { objectionTo: () => undefined, connect: () => Promise.reject(new Error()) });
  {
    await using proxy = await open({ hosts: [], granted: [] });
    await ask(proxy.socketPath, 'a.test:443');
    expect(networkUse(proxy).needed).toEqual(['a.test:443']);
  }
  expect(readdirSync(deep)).toEqual([]);
});
