import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BulkheadError } from '@bulkhead/protocol';
import { afterEach, describe, expect, it } from 'vitest';
import type { ModelSettings } from '../model-settings.ts';
import { createEmbeddingClient } from './create-embedding-client.ts';

const KEY = 'sk-canary-0123456789abcdef';
const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

interface Asked {
  readonly path: string;
  readonly key: string;
  readonly body: Record<string, unknown>;
}

/** A vendor's embedding server. @param answer the body for a request, or another outcome */
async function serve(answer: (asked: Asked) => object | { readonly status: number } | 'never' | 'redirect') {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const key = String(request.headers.authorization ?? request.headers['x-goog-api-key'] ?? '');
      const one = { path: request.url ?? '', key, body: JSON.parse(Buffer.concat(chunks).toString()) };
      asked.push(one);
      const said = answer(one);
      if (said === 'never') return;
      if (said === 'redirect') {
        response.writeHead(307, { location: 'http://other.example/v1/embeddings' }).end();
        return;
      }
      const status = 'status' in said ? said.status : 200;
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(said));
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked };
}

const client = (settings: ModelSettings, timeoutMs = 5_000) =>
  createEmbeddingClient(
    settings,
    {
      environment: { OPENAI_API_KEY: KEY, GEMINI_API_KEY: KEY, OPENROUTER_API_KEY: KEY },
      secret: () => undefined,
    },
    { timeoutMs },
  );
const { signal } = new AbortController();
const vectors = [
  [1, 0],
  [0, 1],
];
const openAIBody = {
  object: 'list',
  model: 'm',
  data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
  usage: { prompt_tokens: 7, total_tokens: 7 },
};
const failure = async (work: Promise<unknown>): Promise<BulkheadError> => {
  try {
    await work;
  } catch (error) {
    if (BulkheadError.is(error)) return error;
  }
  throw new Error('it did not fail as it should');
};

describe('createEmbeddingClient', () => {
  it.each([
    ['openai', '/v1', '/v1/embeddings', openAIBody, 7, `Bearer ${KEY}`],
    ['openai-compatible', '/v1', '/v1/embeddings', openAIBody, 7, `Bearer ${KEY}`],
    ['openrouter', '/v1', '/v1/embeddings', openAIBody, 7, `Bearer ${KEY}`],
    ['ollama', '', '/api/embed', { embeddings: vectors, prompt_eval_count: 7 }, 7, ''],
    [
      'google',
      '/v1beta',
      '/v1beta/models/m:batchEmbedContents',
      { embeddings: vectors.map((values) => ({ values })) },
      undefined,
      KEY,
    ],
  ] as const)(
    '%s: asks for several texts at once, with the key where one is [M2]',
    async (provider, base, path, body, tokens, key) => {
      const { url, asked } = await serve(() => body);
      const made = client({ provider, model: 'm', baseUrl: `${url}${base}` });
      const given = await made.embed(['one', 'two'], 'document', signal);
      expect(given.vectors).toEqual(vectors.map((vector) => Float32Array.from(vector)));
      expect(given.tokens).toBe(tokens);
      expect(asked).toMatchObject([{ path, key }]);
      expect(JSON.stringify(asked[0]?.body)).toContain('two');
    },
  );

  it('tells Google what the text is for', async () => {
    const { url, asked } = await serve(() => ({ embedding: { values: [1, 0] } }));
    await client({ provider: 'google', model: 'm', baseUrl: url }).embed(['q'], 'query', signal);
    expect(JSON.stringify(asked[0]?.body)).toContain('RETRIEVAL_QUERY');
  });

  it('types what goes wrong, without the key in any of it', async () => {
    const limited = await serve(() => ({ status: 429, error: { message: `slow down, ${KEY}` } }));
    const error = await failure(
      client({ provider: 'openai-compatible', model: 'm', baseUrl: limited.url }).embed(
        ['a'],
        'query',
        signal,
      ),
    );
    expect(error).toMatchObject({ code: 'rate_limit', retryable: true });
    expect(JSON.stringify([error.message, error.fix, error.details])).not.toContain(KEY);
    const odd = await serve(() => ({ embeddings: [[1, 2], [3]] }));
    const ollama = client({ provider: 'ollama', model: 'm', baseUrl: odd.url });
    expect(await failure(ollama.embed(['a', 'b'], 'query', signal))).toMatchObject({ code: 'server_error' });
    expect(await failure(ollama.embed(['a'], 'query', signal))).toMatchObject({ code: 'server_error' });
  });

  it('waits no longer than its limit, and ends on request', async () => {
    const { url } = await serve(() => 'never');
    const slow = client({ provider: 'ollama', model: 'm', baseUrl: url }, 200);
    expect(await failure(slow.embed(['a'], 'query', signal))).toMatchObject({
      code: 'timeout',
      retryable: true,
    });
    const cancelled = slow.embed(['a'], 'query', AbortSignal.abort());
    expect(await failure(cancelled)).toMatchObject({ code: 'cancelled' });
  });

  it('takes the key to one origin only [FT98]', async () => {
    const { url } = await serve(() => 'redirect');
    const made = client({ provider: 'openai-compatible', model: 'm', baseUrl: url });
    expect((await failure(made.embed(['a'], 'query', signal))).message).toContain('the key stays');
  });

  it('knows prices, and that a server of one’s own costs nothing [D2]', () => {
    expect(client({ provider: 'openai', model: 'text-embedding-3-small' }).price?.input).toBe(0.02);
    expect(client({ provider: 'ollama', model: 'm' }).price?.input).toBe(0);
    expect(client({ provider: 'openai', model: 'unknown' }).price).toBeUndefined();
  });

  it('refuses a provider that has none', () => {
    expect(() => client({ provider: 'anthropic', model: 'm' })).toThrow('no embedding models');
    expect(() => client({ provider: 'offline', model: 'rules' })).toThrow('no embedding models');
  });
});
