import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { askOllama } from './ask-ollama.ts';

describe('askOllama', () => {
  let server: Server | undefined;
  const asked: string[] = [];

  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
    asked.length = 0;
  });

  /** Asks a server on another port, over real HTTP. */
  async function ask(answer: RequestListener, environment: Record<string, string> = {}) {
    server = createServer(answer);
    const { promise, resolve } = Promise.withResolvers<void>();
    server.listen(0, '127.0.0.1', resolve);
    await promise;
    const { port } = server.address() as AddressInfo;
    return await askOllama(environment, (input, init) => {
      asked.push(String(input));
      return fetch(String(input).replace(':11434', `:${port}`), init);
    });
  }

  const models =
    (...names: string[]): RequestListener =>
    (_request, response) => {
      response.end(JSON.stringify({ models: names.map((name) => ({ name, size: 1, details: {} })) }));
    };

  it('takes the first model that can chat [D1]', async () => {
    const found = await ask(models('nomic-embed-text:latest', 'llama3.2:3b', 'qwen3'));
    expect(found).toEqual({ provider: 'ollama', model: 'llama3.2:3b' });
    expect(asked).toEqual(['http://127.0.0.1:11434/api/tags']);
  });

  it.each<[string, RequestListener]>([
    ['no models', models()],
    ['an error', (_request, response) => response.writeHead(500).end('{"models":[{"name":"x"}]}')],
    ['something else', (_request, response) => response.end('<html>')],
    ['another shape', (_request, response) => response.end('{"models":[{"name":1}]}')],
    [
      'a way elsewhere',
      (request, response) => {
        if (request.url === '/elsewhere') models('m')(request, response);
        else response.writeHead(302, { location: '/elsewhere' }).end();
      },
    ],
    [
      'more than any list',
      (_request, response) => response.end(`{"models":[{"name":"x"}],"a":"${'x'.repeat(1_100_000)}"}`),
    ],
  ])('takes %s for none', async (_what, answer) => {
    expect(await ask(answer)).toBeUndefined();
  });

  it('waits 300 ms at most, for the whole answer', async () => {
    // In one process, a busy machine delays both timers.
    const longer = sleep(2_000, 'longer');
    const asked = ask((_request, response) => response.write('{"models":'));
    expect(await Promise.race([asked, longer])).toBeUndefined();
  });

  it('finds none where no server listens', async () => {
    expect(await askOllama({}, () => Promise.reject(new TypeError('fetch failed')))).toBeUndefined();
  });

  it.each([
    ['', 1],
    ['127.0.0.1', 1],
    ['0.0.0.0:11434', 1],
    ['http://localhost:11434', 1],
    ['127.0.0.1:1', 0],
    ['ollama.example', 0],
    ['http://10.0.0.7:11434', 0],
  ])('asks this machine only, where Ollama usually is: OLLAMA_HOST=%j', async (host, times) => {
    await ask(models('m'), { OLLAMA_HOST: host });
    expect(asked).toHaveLength(times);
  });
});
