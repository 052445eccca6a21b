import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ProbeGround } from './probe-ground.ts';

let folder: string;
let ground: ProbeGround;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bulkhead-ground-'));
  ground = await ProbeGround.open(join(folder, 'ground'), '/bin/true');
});
afterEach(async () => {
  await ground[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

async function say(words: string): Promise<void> {
  const { tcpPort, udpPort } = ground.aims(false);
  const socket = connect(tcpPort, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.end(words);
  const udp = createSocket('udp4');
  await new Promise<void>((resolve) => udp.send(words, udpPort, '127.0.0.1', () => resolve()));
  udp.close();
  await sleep(50);
}

describe('the ground of the probes', () => {
  it('sees what reaches it with the nonce [FR2]', async () => {
    await say(ground.aims(false).nonce);
    expect(() => ground.check('agent')).toThrow(/leaks: 2 connections or datagrams arrived/);
  });

  it('is not confused by others who find its sockets: a scanner, a web page', async () => {
    await say('');
    await say('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    await say('0'.repeat(32));
    expect(() => ground.check('agent')).not.toThrow();
  });
});
