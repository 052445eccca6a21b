import { renderAnthropicReply } from './anthropic-wire.ts';
import { renderOpenAIReply } from './openai-wire.ts';
import type { RenderedReply } from './rendered-reply.ts';
import type { ScriptedReply, WireFormat } from './script.ts';

/** @param model name the client asked for, sent back to it */
export function renderReply(format: WireFormat, reply: ScriptedReply, model: string): RenderedReply {
  return format === 'openai' ? renderOpenAIReply(reply, model) : renderAnthropicReply(reply, model);
}
