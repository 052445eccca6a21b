import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** The work that one message makes the model do. A message that holds one reads `task KEY JSON`. */
export interface Task {
  /** One tool call for each, a round for each. */
  readonly steps: readonly ('append' | 'write' | 'edit' | 'slow' | 'ask')[];
  /** Before each answer. */
  readonly delayMs?: number;
  /** Text of the last answer; "done" if absent. */
  readonly bytes?: number;
  /** Pieces that such a text comes in. */
  readonly pieceBytes?: number;
}

/** Name of the file that every `append` adds the line `KEY-step` to. */
export const LEDGER = 'ledger.txt';

export function taskText(key: string, task: Task): string {
  return `task ${key} ${JSON.stringify(task)}`;
}

/**
 * A server that speaks the chat completion protocol and does the task of the last message that
 * holds one. Its answers depend on the conversation alone, so that a request made again after a
 * crash gets the same answer.
 */
export class TaskModel implements AsyncDisposable {
  readonly url: string;
  readonly #server: Server;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.url = `http://127.0.0.1:${port}/v1`;
  }

  static async serve(): Promise<TaskModel> {
    const server = createServer((request, response) => {
      answer(request, response).catch(() => response.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('the model has no port');
    return new TaskModel(server, address.port);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += part;
  if (request.url?.endsWith('/chat/completions') !== true) {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"object":"list","data":[]}');
    return;
  }
  const { messages } = bodyOf(text);
  const at = messages.findLastIndex(({ role, content }) => role === 'user' && TASK.test(content));
  const found = TASK.exec(messages[at]?.content ?? '');
  const key = found?.[1] ?? '';
  const task = taskOf(found?.[2]);
  const done = messages.slice(at + 1).filter(({ calls }) => calls > 0).length;
  if (task.delayMs !== undefined) await sleep(task.delayMs);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const step = task.steps[done];
  if (step === undefined) await sayText(response, task);
  else sayCall(response, `${key}-${done + 1}`, step, key, done);
  response.end('data: [DONE]\n\n');
}

const TASK = /task (\S+) (\{[^}]*\})/;

interface SeenMessage {
  readonly role: string;
  readonly content: string;
  /** Tool calls in it. */
  readonly calls: number;
}

function bodyOf(text: string): { readonly messages: readonly SeenMessage[] } {
  const body: { messages: { role: string; content: unknown; tool_calls?: unknown[] }[] } = JSON.parse(text);
  return {
    messages: body.messages.map(({ role, content, tool_calls: calls = [] }) => ({
      role,
      content: typeof content === 'string' ? content : textOfParts(content),
      calls: calls.length,
    })),
  };
}

/** Text of a message that comes in parts. */
function textOfParts(content: unknown): string {
  if (!Array.isArray(content)) return '';
  return content
    .map((part: unknown) =>
      typeof part === 'object' && part !== null && 'text' in part ? String(part.text) : '',
    )
    .join('\n');
}

function taskOf(json: string | undefined): Task {
  if (json === undefined) return { steps: [] };
  const task: Task = JSON.parse(json);
  return task;
}

async function sayText(response: ServerResponse, { bytes, pieceBytes = 4_096 }: Task): Promise<void> {
  if (bytes === undefined) {
    say(response, { content: 'done' }, null);
  } else {
    const words = 'many words of an answer '.repeat(Math.ceil(pieceBytes / 24)).slice(0, pieceBytes);
    for (let sent = 0; sent < bytes && !response.destroyed; sent += pieceBytes) {
      if (!say(response, { content: words }, null)) await drained(response);
    }
  }
  say(response, {}, 'stop');
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    response.once('drain', resolve);
    response.once('close', resolve);
  });
}

function sayCall(
  response: ServerResponse,
  id: string,
  step: Task['steps'][number],
  key: string,
  done: number,
): void {
  const { name, args } = callOf(step, id, key, done);
  const call = { index: 0, id, type: 'function', function: { name, arguments: JSON.stringify(args) } };
  say(response, { tool_calls: [call] }, null);
  say(response, {}, 'tool_calls');
}

function callOf(
  step: Task['steps'][number],
  id: string,
  key: string,
  done: number,
): { name: string; args: object } {
  switch (step) {
    case 'append':
      return { name: 'bash', args: { command: `echo ${id} >> ${LEDGER}` } };
    case 'slow':
      return { name: 'bash', args: { command: `sleep 2; echo ${id} >> ${LEDGER}` } };
    case 'ask':
      return { name: 'bash', args: { command: `echo ${id} >> ${LEDGER}`, hosts: ['example.com'] } };
    case 'write':
      return { name: 'write', args: { path: `${id}.txt`, content: `${id}\n` } };
    case 'edit':
      return { name: 'edit', args: { path: `edit-${key}.txt`, old_text: 'end', new_text: `${done}\nend` } };
    default:
      throw new Error(`no such step: ${String(step)}`);
  }
}

function say(response: ServerResponse, delta: object, finish: string | null): boolean {
  const chunk = {
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: finish }],
  };
  return response.write(`data: ${JSON.stringify(chunk)}\n\n`);
}
