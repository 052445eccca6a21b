import OpenAI from 'openai';
import type { Stage } from './stage.ts';

/** The door of a running engine, as programs that speak OpenAI's API find it. */
export interface OpenAiDoor {
  readonly address: string;
  /** The owner's token. */
  readonly owner: string;
  /** A client with the owner's token, or another; it never retries automatically. */
  client(token?: string, headers?: Readonly<Record<string, string>>): OpenAI;
  /** Makes a token for a program. */
  program(name: string): Promise<string>;
  /** A request as it is: what no client library would send. */
  send(path: string, body: unknown, token?: string): Promise<Response>;
}

/** Starts the engine of a stage. */
export async function openAiDoor(stage: Stage): Promise<OpenAiDoor> {
  await stage.withEngine();
  using engine = await stage.client();
  const { httpAddress: address } = await engine.call('status', {});
  const { token: owner } = await engine.call('readAccessToken', {});
  return {
    address,
    owner,
    client: (token = owner, headers = {}) =>
      new OpenAI({ baseURL: `${address}/v1`, apiKey: token, maxRetries: 0, defaultHeaders: { ...headers } }),
    program: async (name) => (await stage.cli(['token', 'create', name])).stdout.trim(),
    send: (path, body, token = owner) =>
      fetch(`${address}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
  };
}
