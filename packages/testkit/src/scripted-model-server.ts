import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { RecordedRequest, Script, ScriptedReply } from './script.ts';
import { sendReply } from './send-reply.ts';

export interface ScriptedModelServer {
  /**
   * `http://127.0.0.1:PORT`. Base URL of a client: `${url}/v1` (Anthropic, OpenAI, OpenRouter,
   * compatible ones), `${url}/v1beta` (Google), `url` itself (Ollama).
   */
  readonly url: string;
  readonly port: number;
  /** Every request so far, in order of reading. */
  readonly requests: readonly RecordedRequest[];
  /** Ends every exchange immediately and frees the port. */
  close(): Promise<void>;
}

export interface ScriptedServerOptions {
  /**
   * Behaviour at the end of a list of replies: fail with status 500 (default), or repeat the last
   * reply.
   */
  readonly atEnd?: 'fail' | 'repeat-last';
}

/**
 * A scripted model provider on 127.0.0.1, over the streaming wire formats of OpenAI chat
 * completions (`/v1/chat/completions`) and responses (`/v1/responses`), Anthropic messages
 * (`/v1/messages`), Gemini (`/v1beta/models/MODEL:streamGenerateContent`) and Ollama (`/api/chat`).
 * `/v1/models` and `/api/tags` list a model.
 */
export async function startScriptedModelServer(
  script: Script,
  options: ScriptedServerOptions = {},
): Promise<ScriptedModelServer> {
  const requests: RecordedRequest[] = [];
  const stop = new AbortController();
  let answered = 0;

  const nextReply = async (request: RecordedRequest): Promise<ScriptedReply> => {
    const index = answered++;
    if (typeof script === 'function') return script(request, index);
    const last = options.atEnd === 'repeat-last' ? script.at(-1) : undefined;
    return script[index] ?? last ?? { error: { status: 500, body: endOfScript(index) } };
  };

  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const leave = new AbortController();
    response.once('close', () => leave.abort());
    const request = await readRequest(incoming, response);
    requests.push(request);
    if (request.format === 'models') return sendJson(response, 200, modelList());
    if (request.format === 'tags') return sendJson(response, 200, tagList());
    if (request.format === 'unknown') return sendJson(response, 404, notFound(request.path));
    const signal = AbortSignal.any([stop.signal, leave.signal]);
    await sendReply(response, request.format, await nextReply(request), modelOf(request), signal);
  };

  const server = createServer((incoming, response) => {
    answer(incoming, response).catch(() => response.destroy());
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    close: () =>
      new Promise((resolve) => {
        stop.abort();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function endOfScript(index: number): object {
  return {
    error: { message: `the script has no reply ${index + 1}`, type: 'server_error', code: 'end_of_script' },
  };
}

function notFound(path: string): object {
  return { error: { message: `no such address: ${path}`, type: 'invalid_request_error', code: 'not_found' } };
}

function modelList(): object {
  return { object: 'list', data: [{ id: 'scripted', object: 'model', created: 0, owned_by: 'testkit' }] };
}

function tagList(): object {
  const details = { family: 'scripted', parameter_size: '1B', quantization_level: 'F16' };
  return { models: [{ name: 'scripted:latest', model: 'scripted:latest', size: 1, digest: '0', details }] };
}

/** From the body, or from the path if the format has it there (Gemini). */
function modelOf({ body, path }: RecordedRequest): string {
  const inPath = /\/models\/([^/:?]+):/.exec(path)?.[1];
  const model = typeof body === 'object' && body !== null && 'model' in body ? body.model : inPath;
  return typeof model === 'string' ? model : 'scripted';
}

/** Listens on a free port of 127.0.0.1 and returns its number. */
async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}

/** Reads a request to its end and watches the exchange. */
async function readRequest(incoming: IncomingMessage, response: ServerResponse): Promise<RecordedRequest> {
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
