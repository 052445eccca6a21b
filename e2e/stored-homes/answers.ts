import { createServer } from 'node:http';
import type { FixtureDoor } from './fixture-place.ts';

/** A page of this machine that is not from the person. @returns its address, and its end */
export async function servePage(): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Opening hours</h1><p>Nine to five.');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { url: `http://127.0.0.1:${port}/`, [Symbol.asyncDispose]: close };
}

/**
 * Returns the answer to a program with a token; the same request again is answered from the store.
 *
 * @param tokens `weather`, and `response`: id of an earlier answer
 */
export async function callProgram(
  door: FixtureDoor,
  tokens: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, unknown>>> {
  const weather = { authorization: `Bearer ${tokens['weather']}` };
  const messages = [{ role: 'user', content: '#hello from a program' }];
  const named = { ...weather, 'x-bulkhead-session': 'diary', 'idempotency-key': 'key-1' };
  const chat = await door.send('POST', '/v1/chat/completions', { model: 'bulkhead', messages }, named);
  const gone = { authorization: `Bearer ${tokens['gone']}` };
  const response = tokens['response'] ?? 'none';
  return {
    chat: { status: chat.status, body: parsed(chat.text) },
    response: (await door.send('GET', `/v1/responses/${response}`, undefined, weather)).text,
    gone: (await door.send('GET', '/v1/models', undefined, gone)).status,
  };
}

/** Durable events of a session. */
export async function eventsOf(door: FixtureDoor, session: string) {
  return lines((await door.send('GET', `/api/v1/sessions/${session}/events`)).text);
}

/** Lines of JSON objects. */
export function lines(text: string): readonly Readonly<Record<string, unknown>>[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map(parsed);
}

/** A JSON object. */
export function parsed(text: string): Readonly<Record<string, unknown>> {
  return fields(JSON.parse(text));
}

/** Fields of a value; none of anything but an object. */
export function fields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
