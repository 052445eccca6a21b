import {
  APICallError,
  EmptyResponseBodyError,
  InvalidResponseDataError,
  type LanguageModelV4,
  type LanguageModelV4CallOptions,
  type LanguageModelV4StreamPart,
  type LanguageModelV4StreamResult,
  UnsupportedFunctionalityError,
} from '@ai-sdk/provider';
import type { ProviderConnection } from '../../provider-adapter.ts';
import { OllamaAnswer } from './ollama-answer.ts';
import { ollamaChunk, ollamaFailure } from './ollama-chunk.ts';
import { ollamaRequest } from './ollama-request.ts';

/**
 * A model of an Ollama server, behind the AI SDK's model specification (v4). Streams only.
 * https://docs.ollama.com/api/chat
 */
export function createOllamaModel(connection: ProviderConnection): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'ollama',
    modelId: connection.model,
    supportedUrls: {},
    doGenerate: () =>
      Promise.reject(new UnsupportedFunctionalityError({ functionality: 'an answer in one piece' })),
    doStream: (options) => streamChat(connection, options),
  };
}

async function streamChat(
  connection: ProviderConnection,
  options: LanguageModelV4CallOptions,
): Promise<LanguageModelV4StreamResult> {
  const url = `${connection.baseUrl.replace(/\/api$/, '')}/api/chat`;
  const body = ollamaRequest(options, connection);
  const response = await connection.fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(connection.apiKey === undefined ? {} : { authorization: `Bearer ${connection.apiKey}` }),
    },
    body: JSON.stringify(body),
    ...(options.abortSignal === undefined ? {} : { signal: options.abortSignal }),
  });
  const headers = Object.fromEntries(response.headers);
  if (!response.ok) {
    throw new APICallError({
      message: response.statusText,
      url,
      requestBodyValues: body,
      statusCode: response.status,
      responseHeaders: headers,
      responseBody: await response.text(),
    });
  }
  if (response.body === null) throw new EmptyResponseBodyError();
  const stream = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(splitLines())
    .pipeThrough(readOllamaLines(options.includeRawChunks ?? false));
  return { stream, response: { headers } };
}

/**
 * Turns the lines of an answer into the parts of the AI SDK's model specification. Ends without a
 * `finish` part if the server never reported the end.
 * @param includeRaw true yields each line before its parts
 */
function readOllamaLines(includeRaw: boolean): TransformStream<string, LanguageModelV4StreamPart> {
  const answer = new OllamaAnswer();
  return new TransformStream({
    start(controller) {
      controller.enqueue({ type: 'stream-start', warnings: [] });
    },
    transform(line, controller) {
      const value = parsed(line);
      if (includeRaw) controller.enqueue({ type: 'raw', rawValue: value });
      const failure = ollamaFailure.safeParse(value);
      const chunk = ollamaChunk.safeParse(value);
      if (failure.success) controller.enqueue({ type: 'error', error: failed(line, failure.data.error) });
      else if (!chunk.success) controller.enqueue({ type: 'error', error: malformed(line) });
      else for (const part of answer.read(chunk.data)) controller.enqueue(part);
    },
  });
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function malformed(line: string): InvalidResponseDataError {
  return new InvalidResponseDataError({
    data: line.slice(0, 200),
    message: 'a line of the answer is not what Ollama sends',
  });
}

/** The status was sent long ago: later failures are the server's. */
function failed(line: string, message: string): APICallError {
  return new APICallError({
    message,
    url: '',
    requestBodyValues: {},
    statusCode: 500,
    responseBody: line,
  });
}

/** A server that never ends a line must not fill the memory. In UTF-16 units. */
const LONGEST_LINE = 16 * 1024 * 1024;

/**
 * Splits text at line ends, in pieces of any size. Leaves out empty lines and keeps a last line
 * without an end.
 */
export function splitLines(): TransformStream<string, string> {
  let rest = '';
  return new TransformStream({
    transform(text, controller) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line.trim() !== '') controller.enqueue(line);
      if (rest.length > LONGEST_LINE) {
        controller.error(
          new InvalidResponseDataError({ data: undefined, message: 'a line of the answer has no end' }),
        );
      }
    },
    flush(controller) {
      if (rest.trim() !== '') controller.enqueue(rest);
    },
  });
}
