import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { OllamaChunk, OllamaToolCall } from './ollama-chunk.ts';

type BlockKind = 'text' | 'reasoning';

/** Reads one answer line by line: tracks the open block and the number of calls. */
export class OllamaAnswer {
  #open: { readonly kind: BlockKind; readonly id: string } | undefined;
  #blocks = 0;
  #calls = 0;

  *read(chunk: OllamaChunk): Generator<LanguageModelV4StreamPart> {
    const { thinking, content, tool_calls: calls } = chunk.message;
    if (thinking) yield* this.#delta('reasoning', thinking);
    if (content) yield* this.#delta('text', content);
    for (const call of calls ?? []) yield* this.#call(call);
    if (chunk.done) yield* this.#finish(chunk);
  }

  *#delta(kind: BlockKind, delta: string): Generator<LanguageModelV4StreamPart> {
    if (this.#open?.kind !== kind) {
      yield* this.#close();
      this.#open = { kind, id: String(this.#blocks++) };
      yield { type: `${kind}-start`, id: this.#open.id };
    }
    yield { type: `${kind}-delta`, id: this.#open.id, delta };
  }

  *#close(): Generator<LanguageModelV4StreamPart> {
    if (this.#open !== undefined) yield { type: `${this.#open.kind}-end`, id: this.#open.id };
    this.#open = undefined;
  }

  /** Older servers send no id for a call: its position replaces it. */
  *#call(call: OllamaToolCall): Generator<LanguageModelV4StreamPart> {
    yield* this.#close();
    this.#calls += 1;
    const { name, arguments: args } = call.function;
    yield {
      type: 'tool-call',
      toolCallId: call.id || `call_${this.#calls}`,
      toolName: name,
      input: typeof args === 'string' ? args : JSON.stringify(args ?? {}),
    };
  }

  *#finish(chunk: OllamaChunk): Generator<LanguageModelV4StreamPart> {
    yield* this.#close();
    yield {
      type: 'finish',
      finishReason: { unified: unifiedReason(chunk.done_reason), raw: chunk.done_reason },
      usage: {
        inputTokens: {
          total: chunk.prompt_eval_count,
          noCache: chunk.prompt_eval_count,
          cacheRead: undefined,
          cacheWrite: undefined,
        },
        outputTokens: { total: chunk.eval_count, text: undefined, reasoning: undefined },
      },
    };
  }
}

function unifiedReason(reason: string | undefined): LanguageModelV4FinishReason['unified'] {
  if (reason === undefined || reason === 'stop') return 'stop';
  return reason === 'length' ? 'length' : 'other';
}
