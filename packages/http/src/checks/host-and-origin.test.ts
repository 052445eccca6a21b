import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { DoorStage } from '../testing/door-stage.ts';

let stage: DoorStage | undefined;
afterEach(async () => {
  await stage?.[Symbol.asyncDispose]();
  stage = undefined;
});

/** Returns the status of a hand-written request that no usual client would send. */
async function statusOf(port: number, head: readonly string[]): Promise<number> {
  const socket = connect(port, '127.0.0.1');
  socket.write(`${head.join('\r\n')}\r\nConnection: close\r\n\r\n`);
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  await once(socket, 'close');
  return Number(text.split(' ')[1]);
}

describe('a request that names its host or origin twice, or not at all', () => {
  it('is refused, whichever of them is ours [FT46]', async () => {
    stage = await DoorStage.open();
    const { host, port } = stage;
    const get = 'GET / HTTP/1.1';
    expect(await statusOf(port, [get, `Host: ${host}`])).toBe(503);
    const own = `Origin: http://${host}`;
    const wrong = [
      [[get], 400],
      [[get, 'Host:'], 403],
      [[get, `Host: ${host}`, 'Host: evil.example'], 403],
      [[get, 'Host: evil.example', `Host: ${host}`], 403],
      [[get, `Host: ${host}`, own, 'Origin: http://evil.example'], 403],
      [[get, `Host: ${host}`, 'Origin: null', own], 403],
      [[get, `Host: ${host}`, 'Origin:'], 403],
      [['GET http://evil.example/ HTTP/1.1', `Host: ${host}`], 400],
      [['GET / HTTP/1.0'], 403],
    ] as const;
    for (const [head, status] of wrong) expect([head, await statusOf(port, head)]).toEqual([head, status]);
  });
});
