import {
  APICallError,
  EmptyResponseBodyError,
  type LanguageModelV4,
  type LanguageModelV4CallOptions,
  type LanguageModelV4StreamResult,
  UnsupportedFunctionalityError,
} from '@ai-sdk/provider';
import type { ProviderConnection } from '../../provider-adapter.ts';
import { splitLines } from './line-splitter.ts';
import { ollamaRequest } from './ollama-request.ts';
import { readOllamaLines } from './ollama-stream.ts';

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
