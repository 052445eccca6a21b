import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { type ScriptedModelServer, type ScriptedReply, startScriptedModelServer } from '@bulkhead/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { createModelClient } from './create-model-client.ts';
import { ERROR_CASES } from './testing/error-replies.ts';
import { clientFor, failureOf, KEY, shownText, WIRES } from './testing/model-fixtures.ts';

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

  it.each(WIRES)('%s: a key that the server repeats is in no part of the error [P6]', async (wire) => {
    const at = await serve({
      error: {
        status: 401,
        body: { error: { type: 'x', message: `bad key ${KEY}`, code: KEY }, request_id: KEY },
      },
    });
    const failure = await failureOf(clientFor(wire, at));
    expect(failure.message).toContain('[redacted]');
    expect(shownText(failure)).not.toContain(KEY);
  });

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
});

describe.each(WIRES)('%s: streams that go wrong', (wire) => {
  it('an error event in the middle is an error, classified by its type [E1]', async () => {
    const body =
      wire === 'anthropic'
        ? { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
        : { error: { message: 'Overloaded', type: 'overloaded_error', code: null } };
    const failure = await failureOf(
      clientFor(wire, await serve({ text: ['a', 'b'], errorEvent: { afterChunks: 4, body } })),
    );
    expect([failure.code, failure.retryable]).toEqual(['overloaded', true]);
    expect(failure.message).toContain('Overloaded');
  });

  it('an error event as the first thing is an error [E1]', async () => {
    const body =
      wire === 'anthropic'
        ? { type: 'error', error: { type: 'rate_limit_error', message: 'slow' } }
        : { error: { message: 'slow', code: 429 } };
    const failure = await failureOf(clientFor(wire, await serve({ errorEvent: { afterChunks: 0, body } })));
    expect(failure.code).toBe('rate_limit');
  });

  it.each([3, 4])('an event that is no JSON after %i chunks is an error', async (afterChunks) => {
    const at = await serve({ text: ['a', 'b', 'c'], malformed: { afterChunks, data: '{"choices": [' } });
    expect(await failureOf(clientFor(wire, at))).toMatchObject({ code: 'server_error', retryable: true });
  });

  it('an event that is no JSON as the first thing is an error', async () => {
    const at = await serve({ text: 'a', malformed: { afterChunks: 0, data: '{"choices": [' } });
    expect(await failureOf(clientFor(wire, at))).toMatchObject({ retryable: true });
  });

  it('an event of a shape nobody knows is an error', async () => {
    const at = await serve({
      text: 'a',
      malformed: { afterChunks: 3, data: '{"type":"content_block_delta","choices":"?"}' },
    });
    expect(await failureOf(clientFor(wire, at))).toMatchObject({ code: 'server_error', retryable: true });
  });

  it('an end without a stop reason is an error, not an answer', async () => {
    const failure = await failureOf(clientFor(wire, await serve({ text: 'half an', stopReason: null })));
    expect(failure).toMatchObject({ code: 'server_error', retryable: true });
  });

  it.each([1, 4, 5])('a socket that breaks after %i chunks is an error', async (afterChunks) => {
    const failure = await failureOf(
      clientFor(wire, await serve({ text: ['a', 'b', 'c'], cut: { afterChunks } })),
    );
    expect(failure).toMatchObject({ code: 'server_error', retryable: true });
  });

  it('an answer that is a web page is an error that says so', async () => {
    const page = { split: { everyBytes: 4000 }, contentType: 'text/html', text: '<html>', stopReason: null };
    const failure = await failureOf(clientFor(wire, await serve({ ...page, cut: { afterBytes: 0 } })));
    expect(failure.retryable).toBe(true);
    const whole = await withPage((url) => failureOf(clientFor(wire, { url })));
    expect(whole.message).toContain('text/html');
    expect(whole.fix).toContain('baseUrl');
  });

  it('calls that are announced but never arrive are an error', async () => {
    const stopReason = wire === 'anthropic' ? 'tool_use' : 'tool_calls';
    const failure = await failureOf(clientFor(wire, await serve({ text: 'I call', stopReason })));
    expect(failure).toMatchObject({ code: 'server_error', retryable: true });
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

  it('a server that hangs up at once is an error', async () => {
    const hangUp = createTcpServer((socket) => socket.once('data', () => socket.resetAndDestroy()));
    const port = await new Promise<number>((resolve) => {
      hangUp.listen(0, '127.0.0.1', () => {
        const address = hangUp.address();
        resolve(typeof address === 'object' && address !== null ? address.port : 0);
      });
    });
    const failure = await failureOf(clientFor(wire, { url: `http://127.0.0.1:${port}` }));
    hangUp.close();
    expect(failure).toMatchObject({ code: 'server_error', retryable: true });
    expect(failure.fix).toContain(`127.0.0.1:${port}`);
  });

  it('a name that does not resolve is an error that says so', async () => {
    const failure = await failureOf(clientFor(wire, { url: 'http://no-such-host.invalid' }));
    expect(failure).toMatchObject({ code: 'server_error', retryable: true });
    expect(failure.fix).toContain('no-such-host.invalid');
  });

  it.each([301, 302, 307, 308])(
    'a redirect (%i) to another host is refused: the key goes nowhere [P6]',
    async (status) => {
      const other = await startScriptedModelServer([{ text: 'stolen' }]);
      const at = await serve({
        error: { status, headers: { location: `${other.url}/v1/messages` }, body: '' },
      });
      const failure = await failureOf(clientFor(wire, at));
      await other.close();
      expect(other.requests).toHaveLength(0);
      expect(failure.retryable).toBe(false);
      expect(failure.message).toContain(new URL(other.url).host);
    },
  );
});

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
