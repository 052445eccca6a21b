import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RecordedRequest } from './script.ts';

/** Reads a request to its end and watches the exchange. */
export async function readRequest(
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<RecordedRequest> {
  const disconnected = new Promise<boolean>((resolve) => {
    response.once('close', () => resolve(!response.writableFinished));
  });
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(Buffer.from(piece));
  const raw = Buffer.concat(pieces);
  const bodyText = raw.toString('utf8');
  const path = incoming.url ?? '/';
  return {
    method: incoming.method ?? '',
    path,
    headers: flatHeaders(incoming),
    body: parsed(bodyText),
    bodyText,
    bytes: raw.length,
    format: formatOf(path),
    clientPort: incoming.socket.remotePort ?? 0,
    disconnected,
  };
}

function flatHeaders(incoming: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** By the end of the path, because a base URL may precede it. */
const ENDPOINTS: readonly (readonly [ending: string, format: RecordedRequest['format']])[] = [
  ['/chat/completions', 'openai'],
  ['/messages', 'anthropic'],
  ['/responses', 'responses'],
  [':streamGenerateContent', 'google'],
  ['/api/chat', 'ollama'],
  ['/api/tags', 'tags'],
  ['/models', 'models'],
];

function formatOf(path: string): RecordedRequest['format'] {
  const [name = ''] = path.split('?');
  return ENDPOINTS.find(([ending]) => name.endsWith(ending))?.[1] ?? 'unknown';
}
