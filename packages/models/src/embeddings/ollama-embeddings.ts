import { APICallError, type EmbeddingModelV4, InvalidResponseDataError } from '@ai-sdk/provider';
import * as z from 'zod';
import type { ProviderConnection } from '../provider-adapter.ts';

const answerSchema = z.object({
  embeddings: z.array(z.array(z.number())),
  prompt_eval_count: z.number().optional(),
});

/** Embedding models of an Ollama server: `/api/embed`. https://docs.ollama.com/api/embed */
export function createOllamaEmbeddings(connection: ProviderConnection): EmbeddingModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'ollama',
    modelId: connection.model,
    maxEmbeddingsPerCall: undefined,
    supportsParallelCalls: false,
    doEmbed: (options) => embed(connection, options),
  };
}

async function embed(
  { baseUrl, model, apiKey, fetch }: ProviderConnection,
  { values, abortSignal }: Parameters<EmbeddingModelV4['doEmbed']>[0],
) {
  const url = `${baseUrl.replace(/\/api$/, '')}/api/embed`;
  // A text that is too long is cut: its beginning represents it.
  const body = { model, input: values, truncate: true };
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
    },
    body: JSON.stringify(body),
    ...(abortSignal === undefined ? {} : { signal: abortSignal }),
  });
  const text = await response.text();
  if (!response.ok) {
    throw new APICallError({
      message: response.statusText,
      url,
      requestBodyValues: { model },
      statusCode: response.status,
      responseHeaders: Object.fromEntries(response.headers),
      responseBody: text,
    });
  }
  const answer = answerSchema.safeParse(parsed(text)).data;
  if (answer === undefined)
    throw new InvalidResponseDataError({ data: undefined, message: 'no embeddings came' });
  const { embeddings, prompt_eval_count: tokens } = answer;
  return { embeddings, warnings: [], ...(tokens === undefined ? {} : { usage: { tokens } }) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
