import { APICallError, InvalidResponseDataError, type LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { OllamaAnswer } from './ollama-answer.ts';
import { ollamaChunk, ollamaFailure } from './ollama-chunk.ts';

/**
 * Turns the lines of an answer into the parts of the AI SDK's model specification. Ends without a
 * `finish` part if the server never reported the end.
 * @param includeRaw true yields each line before its parts
 */
export function readOllamaLines(includeRaw: boolean): TransformStream<string, LanguageModelV4StreamPart> {
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
