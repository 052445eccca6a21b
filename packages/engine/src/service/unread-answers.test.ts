import { once } from 'node:events';
import { type ClientHttp2Session, connect, constants, createServer, type Http2Server } from 'node:http2';
import { afterEach, expect, it } from 'vitest';
import { UnreadAnswers } from './unread-answers.ts';

const open: { server: Http2Server; client: ClientHttp2Session; unread: UnreadAnswers }[] = [];
afterEach(() => {
  for (const { server, client, unread } of open.splice(0)) {
    client.destroy();
    server.close();
    unread.close();
  }
});

async function answering(block: Buffer) {
  const unread = new UnreadAnswers({ unreadMs: 200, lookMs: 20 });
  const server = createServer((_request, response) => {
    unread.watch(response.stream);
    response.stream.on('error', () => {});
    response.writeHead(200);
    const more = (): void => {
      while (!response.stream.destroyed && response.write(block));
    };
    response.on('drain', more);
    more();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const client = connect(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`);
  open.push({ server, client, unread });
  return client;
}

it('ends an answer that its client does not read, with the reason, and no other [X6] [FG10]', async () => {
  const client = await answering(Buffer.alloc(64 * 1024));
  const silent = client.request({ ':path': '/' });
  silent.on('error', () => {});
  const reader = client.request({ ':path': '/' });
  let read = 0;
  reader.on('data', (chunk: Buffer) => {
    read += chunk.length;
    reader.pause();
    setTimeout(() => reader.resume(), 20);
  });
  reader.on('error', () => {});
  await new Promise((resolve) => silent.once('close', resolve));
  expect(silent.rstCode).toBe(constants.NGHTTP2_ENHANCE_YOUR_CALM);
  const before = read;
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(reader.closed).toBe(false);
  expect(read).toBeGreaterThan(before);
});
