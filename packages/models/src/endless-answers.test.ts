import { createServer, type Server, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { clientFor, failureOf } from './testing/model-fixtures.ts';

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n';
const chunk = (delta: object): string =>
  `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', model: 'm', choices: [{ index: 0, delta }] })}\n\n`;

/** Parts sent once, and the part repeated as long as the client reads. */
interface Endless {
  readonly first: string;
  readonly again: string;
}

interface Ending {
  readonly code: string;
  readonly message: RegExp;
  /** Time limits of the provider; if absent a minute each, which no case reaches. */
  readonly limits?: { readonly firstTokenMs?: number; readonly idleMs?: number };
}

const PATIENT = { firstTokenMs: 60_000, idleMs: 60_000 };

const CASES: Readonly<Record<string, Endless & Ending>> = {
  text: {
    first: `${HEAD}\r\n`,
    again: chunk({ content: 'word '.repeat(1_000) }),
    code: 'answer_limit',
    message: /the answer of .* was larger than 1 MiB/,
  },
  'empty text': {
    first: `${HEAD}\r\n`,
    again: chunk({ content: '' }).repeat(50),
    code: 'timeout',
    message: /sent nothing for 1 s/,
    limits: { firstTokenMs: 1_000 },
  },
  'empty chunks after some text': {
    first: `${HEAD}\r\n${chunk({ content: 'Hello' })}`,
    again: chunk({}).repeat(50),
    code: 'timeout',
    message: /stopped sending for 1 s/,
    limits: { idleMs: 1_000 },
  },
  'empty lines': {
    first: `${HEAD}\r\n`,
    again: '\n'.repeat(16_384),
    code: 'timeout',
    message: /sent nothing for 1 s/,
    limits: { firstTokenMs: 1_000 },
  },
  'one line': {
    first: `${HEAD}\r\ndata: {"choices":[{"index":0,"delta":{"content":"`,
    again: 'x'.repeat(65_536),
    code: 'answer_limit',
    message: /one event of the provider’s answer was larger than 2 MiB/,
  },
  headers: {
    first: HEAD,
    again: `x-more: ${'y'.repeat(1_000)}\r\n`,
    code: 'server_error',
    message: /sent longer headers than are read/,
  },
  'one header': {
    first: `${HEAD}x-more: `,
    again: 'y'.repeat(16_384),
    code: 'server_error',
    message: /sent longer headers than are read/,
  },
  'answers before the answer': {
    first: '',
    again: 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n',
    code: 'timeout',
    message: /sent nothing for 1 s/,
    limits: { firstTokenMs: 1_000 },
  },
};

describe('a provider that says without end', () => {
  it.each(Object.entries(CASES))('%s: the call ends with its true reason [FT68]', async (_, one) => {
    const provider = await serve(one);
    const failure = await failureOf(clientFor('openai-compatible', provider, { ...PATIENT, ...one.limits }));
    expect(failure).toMatchObject({ code: one.code, message: expect.stringMatching(one.message) });
    await provider.left;
  });
});

async function serve({ first, again }: Endless) {
  const { promise: left, resolve } = Promise.withResolvers<void>();
  const sockets = new Set<Socket>();
  let sent = 0;
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    const more = (): void => {
      if (socket.destroyed) return;
      sent += again.length;
      if (socket.write(again)) setImmediate(more);
      else socket.once('drain', more);
    };
    socket.on('error', () => {}).on('close', () => resolve());
    socket.once('data', () => {
      socket.write(first);
      more();
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return { url: `http://127.0.0.1:${address.port}`, left, sent: () => sent };
}
