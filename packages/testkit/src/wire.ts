import { renderAnthropicReply } from './anthropic-wire.ts';
import { renderOpenAIReply } from './openai-wire.ts';
import type { ScriptedReply, WireFormat } from './script.ts';

/** A reply in the bytes of a wire format. */
export interface RenderedReply {
  /** One server-sent event each. */
  readonly chunks: readonly string[];
  /** Of `chunks`, the index where repeated text deltas belong. */
  readonly repeatAt: number;
  /** The event of one repeated delta; empty if the reply repeats nothing. */
  readonly repeated: string;
}

/** @param model name the client asked for, sent back to it */
export function renderReply(format: WireFormat, reply: ScriptedReply, model: string): RenderedReply {
  return format === 'openai' ? renderOpenAIReply(reply, model) : renderAnthropicReply(reply, model);
}
