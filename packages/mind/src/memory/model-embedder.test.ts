import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createDayTotals } from '@bulkhead/log/ledger/day-totals';
import { Ledger } from '@bulkhead/log/ledger/ledger';
import { createEmbeddingClient } from '@bulkhead/models';
import { systemTimers, type Timers } from '@bulkhead/protocol';
import { createMemorySessionStore } from '@bulkhead/sessions';
import { memoryTables } from '@bulkhead/sessions/testing';
import { createRedaction } from '@bulkhead/shield';
import { afterEach, describe, expect, it } from 'vitest';
import { createModelEmbedder } from './model-embedder.ts';

const NOW = Date.UTC(2026, 10, 22, 12);
const clock = { now: () => NOW, monotonic: () => 0 };
/** Waits are over at once. */
const timers: Timers = { after: (_ms, run) => systemTimers.after(0, run) };
const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** A server of the kind anybody can run. @param answer by number of the request: how long its vectors are, or a status; 200: cut JSON */
async function embedderOf(
  answer: (request: number) => number,
  options: {
    readonly perDay?: number;
    readonly secrets?: readonly string[];
    readonly told?: (request: number) => number;
  } = {},
) {
  const inputs: (readonly string[])[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const input: string[] = JSON.parse(Buffer.concat(chunks).toString()).input;
      inputs.push(input);
      const dimension = answer(inputs.length);
      const isError = dimension >= 400;
      if (dimension === 200) {
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":');
        return;
      }
      const data = input.map((_text, index) => ({
        index,
        embedding: Array.from({ length: isError ? 0 : dimension }, () => 0.5),
      }));
      response.writeHead(isError ? dimension : 200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({ data, usage: { prompt_tokens: options.told?.(inputs.length) ?? 1_000_000 } }),
      );
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const store = createMemorySessionStore();
  const caps = { perDay: options.perDay, perSession: undefined };
  const client = createEmbeddingClient(
    {
      provider: 'openai-compatible',
      model: 'm',
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
      price: { input: 1, output: 0, cachedInput: 1 },
    },
    { environment: {}, secret: () => undefined },
  );
  const embedder = createModelEmbedder({
    client,
    ledger: new Ledger({
      store,
      time: { believed: () => clock.now() },
      days: createDayTotals(memoryTables()),
      caps,
    }),
    store,
    redaction: createRedaction(options.secrets ?? []),
    clock,
    timers,
  });
  const { signal } = new AbortController();
  const embed = (texts: readonly string[], purpose: 'document' | 'query' = 'document') =>
    embedder.embed(texts, purpose, signal);
  return { embedder, embed, inputs, store };
}

describe('createModelEmbedder', () => {
  it('asks in batches, in order, and counts what it took under its own purpose [D2]', async () => {
    const { embed, embedder, inputs, store } = await embedderOf(() => 3);
    const texts = Array.from({ length: 130 }, (_, at) => `text ${at}`);
    expect(await embed(texts)).toHaveLength(130);
    expect(inputs.map(({ length }) => length)).toEqual([64, 64, 2]);
    expect(inputs.flat()).toEqual(texts);
    expect(embedder.dimension).toBe(3);
    expect(store.modelCalls({})).toMatchObject([{ purpose: 'embedding', calls: 3, cost: 3, session: '' }]);
  });

  it('makes no request that could break a cap [D2]', async () => {
    const { embed, inputs } = await embedderOf(() => 3, { perDay: 1.5 });
    await embed(['one']);
    await embed(['two']);
    await expect(embed(['three'])).rejects.toMatchObject({ code: 'spend_limit' });
    expect(inputs).toHaveLength(2);
  });

  it('takes no number below nothing from a server: a cap would fall open [D2]', async () => {
    const told = (request: number) => (request === 1 ? -100_000_000 : 1_000_000);
    const { embed, inputs } = await embedderOf(() => 3, { perDay: 1.5, told });
    await embed(['one']);
    await embed(['two']);
    await embed(['three']);
    await expect(embed(['four'])).rejects.toMatchObject({ code: 'spend_limit' });
    expect(inputs).toHaveLength(3);
  });

  it.each([
    ['no vectors', 0],
    ['what is no answer', 200],
  ])(
    'counts what was answered with %s: it may have been paid for, and is not asked for again [D2]',
    async (_what, answer) => {
      const { embed, inputs, store } = await embedderOf(() => answer);
      await expect(embed(['some words of a note'])).rejects.toMatchObject({ details: { answered: true } });
      expect(inputs).toHaveLength(1);
      expect(store.modelCalls({})[0]?.cost).toBeGreaterThan(0);
      const refused = await embedderOf(() => 400);
      await expect(refused.embed(['some words of a note'])).rejects.toMatchObject({ retryable: false });
      expect(refused.store.modelCalls({})[0]?.cost).toBe(0);
    },
  );

  it('lets no known secret leave the machine [A7]', async () => {
    const { embed, inputs } = await embedderOf(() => 3, { secrets: ['Zq81kkPm27xVt04c'] });
    await embed(['the door opens with Zq81kkPm27xVt04c']);
    expect(JSON.stringify(inputs)).not.toContain('Zq81');
  });

  it('tries again for documents, and never for a question', async () => {
    const { embed, inputs } = await embedderOf((request) => (request < 3 ? 503 : 3));
    expect(await embed(['a'])).toHaveLength(1);
    expect(inputs).toHaveLength(3);
    const broken = await embedderOf(() => 503);
    await expect(broken.embed(['a'], 'query')).rejects.toMatchObject({ retryable: true });
    expect(broken.inputs).toHaveLength(1);
    await expect(broken.embed(['a'])).rejects.toMatchObject({ retryable: true });
    expect(broken.inputs).toHaveLength(4);
  });

  it('never mixes vectors of two lengths, and says the new one from then on', async () => {
    const { embed, embedder } = await embedderOf((request) => (request === 1 ? 3 : 4));
    const texts = Array.from({ length: 65 }, (_, at) => `text ${at}`);
    await expect(embed(texts)).rejects.toThrow('changed the length');
    expect(await embed(['a'])).toHaveLength(1);
    expect(embedder.dimension).toBe(4);
  });
});
