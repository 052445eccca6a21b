import { createServer } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { type ScriptedModelServer, type ScriptedReply, startScriptedModelServer } from '@bulkhead/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { createModelClient } from './create-model-client.ts';
import { ERROR_CASES } from './testing/error-replies/error-cases.ts';
import { STREAM_ERRORS } from './testing/error-replies/stream-errors.ts';
import { clientFor, failureOf, KEY, shownText } from './testing/model-fixtures.ts';
import { WIRE_CASES, wireCase } from './testing/wire-cases.ts';

let server: ScriptedModelServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function serve(...replies: ScriptedReply[]): Promise<ScriptedModelServer> {
  server = await startScriptedModelServer(replies);
  return server;
}

describe('error answers over HTTP', () => {
  it.each(ERROR_CASES)('$title is $code [E1, E2]', async ({ wire, error, code, retryable, details }) => {
    const at = await serve({ error });
    const failure = await failureOf(clientFor(wire, at));
    expect([failure.code, failure.retryable]).toEqual([code, retryable]);
    expect(failure.details).toMatchObject({ status: error.status, host: new URL(at.url).host, ...details });
    expect(failure.message).toContain(String(error.status));
    expect(failure.message).not.toContain('\n');
    expect(at.requests).toHaveLength(1);
    expect(failure.cause).toBeUndefined();
  });

  it.each(STREAM_ERRORS)(
    '$title in the middle of an answer is $code [E1]',
    async ({ wire, body, code, retryable }) => {
      const { chunksOfTwoDeltas: afterChunks } = wireCase(wire);
      const at = await serve({ text: ['a', 'b', 'c'], errorEvent: { afterChunks, body } });
      const failure = await failureOf(clientFor(wire, at));
      expect([failure.code, failure.retryable]).toEqual([code, retryable]);
      expect(failure.details['received']).toBe(true);
    },
  );

  it.each(WIRE_CASES.filter(({ key }) => key !== undefined))(
    '$wire: a key that the server repeats is in no part of the error [P6]',
    async ({ wire }) => {
      const at = await serve({
        error: {
          status: 401,
          body: { error: { type: 'x', message: `bad key ${KEY}`, code: KEY, status: KEY }, request_id: KEY },
        },
      });
      const failure = await failureOf(clientFor(wire, at));
      expect(failure.message).toContain('[redacted]');
      expect(shownText(failure)).not.toContain(KEY);
    },
  );

  it('a key that no header can carry is not shown either', async () => {
    const at = await serve({ text: 'x' });
    const key = `${KEY}\nsecond`;
    const client = createModelClient(
      { provider: 'openai-compatible', model: 'm', baseUrl: `${at.url}/v1` },
      { environment: { OPENAI_API_KEY: key }, secret: () => undefined },
    );
    const failure = await failureOf(client);
    expect(shownText(failure)).not.toContain(KEY);
    expect(at.requests).toHaveLength(0);
  });

  it('names the key variable when the key is refused', async () => {
    const at = await serve({ error: { status: 401, body: {} } });
    expect((await failureOf(clientFor('anthropic', at))).fix).toContain('ANTHROPIC_API_KEY');
  });

  it.each([
    [401, 'environment', 'Check OPENAI_API_KEY in the environment of the engine, which was started with it'],
    [
      401,
      'store',
      '`bulkhead config secret OPENAI_API_KEY` replaces it (takes effect immediately, without a restart)',
    ],
    [401, 'none', '`bulkhead config secret OPENAI_API_KEY` (takes effect immediately, without a restart)'],
    [401, 'none', 'the engine was started without it'],
    [403, 'store', 'may lack the right to use "m"'],
  ])('%i with a key from %s says how to give the right one: %s', async (status, source, advice) => {
    const at = await serve({ error: { status, body: {} } });
    const client = createModelClient(
      { provider: 'openai-compatible', model: 'm', baseUrl: `${at.url}/v1` },
      {
        environment: source === 'environment' ? { OPENAI_API_KEY: KEY } : {},
        secret: () => (source === 'store' ? KEY : undefined),
      },
    );
    const failure = await failureOf(client);
    expect(failure.fix).toContain(advice);
    expect(failure.retryable).toBe(false);
    expect(shownText(failure)).not.toContain(KEY);
  });

  it('names the setting where a provider has no key of its own', async () => {
    const at = await serve({ error: { status: 401, body: {} } });
    expect((await failureOf(clientFor('ollama', at))).fix).toContain('`apiKeyEnv: OLLAMA_API_KEY`');
  });
});

describe.each(WIRE_CASES)('$wire: streams that go wrong', (entry) => {
  const { wire, chunksOfTwoDeltas, errorChunk } = entry;

  it('an error event in the middle is an error, classified by its type [E1]', async () => {
    const errorEvent = { afterChunks: chunksOfTwoDeltas, body: errorChunk.body };
    const failure = await failureOf(clientFor(wire, await serve({ text: ['a', 'b', 'c'], errorEvent })));
    expect([failure.code, failure.retryable]).toEqual([errorChunk.code, true]);
    expect(failure.message).toContain('Overloaded');
    expect(failure.details['received']).toBe(true);
  });

  it('an error event as the first thing is an error [E1]', async () => {
    const errorEvent = { afterChunks: 0, body: errorChunk.body };
    const failure = await failureOf(clientFor(wire, await serve({ errorEvent })));
    expect([failure.code, failure.retryable]).toEqual([errorChunk.code, true]);
    expect(failure.details['received']).toBeUndefined();
  });

  it('an event in the middle that is no JSON is an error [FT69]', async () => {
    const malformed = { afterChunks: chunksOfTwoDeltas, data: '{"choices": [' };
    const at = await serve({ text: ['a', 'b', 'c'], malformed });
    expect(await failureOf(clientFor(wire, at))).toMatchObject({ code: 'server_error', retryable: true });
  });

  it('an event that is no JSON as the first thing is an error [FT69]', async () => {
    const at = await serve({ text: 'a', malformed: { afterChunks: 0, data: '{"choices": [' } });
    expect(await failureOf(clientFor(wire, at))).toMatchObject({ retryable: true });
  });

  it('an event of an unknown shape is an error', async () => {
    const malformed = { afterChunks: chunksOfTwoDeltas, data: entry.oddChunk };
    const at = await serve({ text: ['a', 'b', 'c'], malformed });
    expect(await failureOf(clientFor(wire, at))).toMatchObject({ code: 'server_error', retryable: true });
  });

  it('an end without a stop reason is an error, not an answer', async () => {
    const failure = await failureOf(clientFor(wire, await serve({ text: 'half an', stopReason: null })));
    expect(failure).toMatchObject({ code: 'server_error', retryable: true });
    expect(failure.fix).toContain('Send the message again');
  });

  it.each([0, 1, chunksOfTwoDeltas, chunksOfTwoDeltas + 1])(
    'a socket that breaks after %i chunks is an error [FT69]',
    async (afterChunks) => {
      const failure = await failureOf(
        clientFor(wire, await serve({ text: ['a', 'b', 'c'], cut: { afterChunks } })),
      );
      expect(failure).toMatchObject({ code: 'server_error', retryable: true });
    },
  );

  it('an answer that is a web page is an error that says so, and is not asked for again', async () => {
    const whole = await withPage((url) => failureOf(clientFor(wire, { url })));
    expect(whole.message).toContain('text/html');
    expect(whole.fix).toContain('Is this the address of the API? Check baseUrl');
    expect(whole.retryable).toBe(false);
  });

  it('nothing listening is an error that names the host and how to mend it', async () => {
    const at = await serve();
    await at.close();
    const failure = await failureOf(clientFor(wire, at));
    expect(failure).toMatchObject({
      code: 'server_error',
      retryable: true,
      details: { network: 'ECONNREFUSED' },
    });
    expect(failure.message).toContain(`127.0.0.1:${at.port}`);
    expect(failure.fix).toContain(`127.0.0.1:${at.port}`);
  });

  it.each(['http', 'https'])('a server that hangs up at once is an error over %s', async (protocol) => {
    const { port, close } = await listenTcp((socket) => socket.once('data', () => socket.resetAndDestroy()));
    const failure = await failureOf(clientFor(wire, { url: `${protocol}://127.0.0.1:${port}` }));
    close();
    expect(failure).toMatchObject({ code: 'server_error', retryable: true });
    expect(failure.fix).toContain(`127.0.0.1:${port}`);
  });

  it('a server that does not speak TLS is an error that names the host', async () => {
    const { port, close } = await listenTcp((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
    );
    const failure = await failureOf(clientFor(wire, { url: `https://127.0.0.1:${port}` }));
    close();
    expect(failure.details['network']).toMatch(/SSL|TLS|EPROTO/);
    expect(failure.message).toContain(`127.0.0.1:${port}`);
  });

  it('a name that does not resolve is an error that says so', async () => {
    const failure = await failureOf(clientFor(wire, { url: 'http://no-such-host.invalid' }));
    expect(failure).toMatchObject({ code: 'server_error', retryable: true });
    expect(failure.fix).toContain('no-such-host.invalid');
    expect(failure.fix).toContain('Is this the address of the API?');
  });

  it('a port that no request is sent to is an error at once, with its fix', async () => {
    const failure = await failureOf(clientFor(wire, { url: 'http://127.0.0.1:6667' }));
    expect(failure).toMatchObject({ retryable: false, details: { network: 'BAD_PORT' } });
    expect(failure.message).toContain('127.0.0.1:6667');
    expect(failure.fix).toContain('Is this the address of the API?');
    expect(() => clientFor(wire, { url: 'http://127.0.0.1:99999' })).toThrow('is not usable');
  });

  it.each([301, 302, 307, 308])(
    'a redirect (%i) to another host is refused: the key goes nowhere [P6] [FT98]',
    async (status) => {
      const other = await startScriptedModelServer([{ text: 'stolen' }]);
      const at = await serve({
        error: { status, headers: { location: other.url + entry.endpoint }, body: '' },
      });
      const failure = await failureOf(clientFor(wire, at));
      await other.close();
      expect(other.requests).toHaveLength(0);
      expect(failure.retryable).toBe(false);
      expect(failure.message).toContain(new URL(other.url).host);
    },
  );
});

it.each(WIRE_CASES.filter(({ stop }) => stop.calls !== undefined))(
  '$wire: calls that are announced but never arrive are an error',
  async ({ wire, stop }) => {
    const at = await serve({ text: 'I call', stopReason: stop.calls ?? null });
    expect(await failureOf(clientFor(wire, at))).toMatchObject({ code: 'server_error', retryable: true });
  },
);

async function listenTcp(
  answer: (socket: Socket) => void,
): Promise<{ readonly port: number; readonly close: () => void }> {
  const listening = createTcpServer((socket) => {
    socket.on('error', () => socket.destroy());
    answer(socket);
  });
  const port = await new Promise<number>((resolve) => {
    listening.listen(0, '127.0.0.1', () => {
      const address = listening.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
  return { port, close: () => listening.close() };
}

async function withPage<T>(use: (url: string) => Promise<T>): Promise<T> {
  const page = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<html>\n<p>Welcome</p>\n</html>');
  });
  const url = await new Promise<string>((resolve) => {
    page.listen(0, '127.0.0.1', () => {
      const address = page.address();
      resolve(`http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`);
    });
  });
  try {
    return await use(url);
  } finally {
    page.closeAllConnections();
    page.close();
  }
}
