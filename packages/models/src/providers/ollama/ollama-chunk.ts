import * as z from 'zod';

const toolCall = z.looseObject({
  id: z.string().optional(),
  function: z.looseObject({ name: z.string(), arguments: z.unknown() }),
});

const message = z.looseObject({
  content: z.string().nullish(),
  thinking: z.string().nullish(),
  tool_calls: z.array(toolCall).nullish(),
});

/** One line of an answer: https://docs.ollama.com/api/chat */
export const ollamaChunk = z.looseObject({
  message,
  done: z.boolean(),
  done_reason: z.string().optional(),
  prompt_eval_count: z.number().optional(),
  eval_count: z.number().optional(),
});

/** A line in the middle of a stream that reports a failure: https://docs.ollama.com/api/errors */
export const ollamaFailure = z.looseObject({ error: z.string() });

export type OllamaChunk = z.infer<typeof ollamaChunk>;
export type OllamaToolCall = z.infer<typeof toolCall>;
