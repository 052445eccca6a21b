import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { ProviderConnection } from '../../provider-adapter.ts';
import { ollamaMessages } from './ollama-messages.ts';

/**
 * The body of a `/api/chat` request. The settings give the context size, since the server's default
 * is a few thousand tokens; a prompt that doesn't fit is an error instead of being cut. Ollama has
 * no option against calls: then the tools are left out.
 */
export function ollamaRequest(
  options: LanguageModelV4CallOptions,
  { model, contextWindow }: Pick<ProviderConnection, 'model' | 'contextWindow'>,
): object {
  const tools = options.toolChoice?.type === 'none' ? [] : (options.tools ?? []);
  const { reasoning, maxOutputTokens } = options;
  return {
    model,
    messages: ollamaMessages(options.prompt),
    stream: true,
    truncate: false,
    shift: false,
    ...(tools.length === 0 ? {} : { tools: tools.flatMap(toolOf) }),
    ...(reasoning === undefined ? {} : { think: thinkOf(model, reasoning) }),
    options: {
      num_ctx: contextWindow,
      ...(maxOutputTokens === undefined ? {} : { num_predict: maxOutputTokens }),
    },
  };
}

function toolOf(tool: NonNullable<LanguageModelV4CallOptions['tools']>[number]): object[] {
  if (tool.type !== 'function') return [];
  const { name, description, inputSchema: parameters } = tool;
  return [{ type: 'function', function: { name, description, parameters } }];
}

/**
 * Only gpt-oss has levels; its thinking can't be switched off.
 * https://docs.ollama.com/capabilities/thinking
 */
function thinkOf(
  model: string,
  reasoning: NonNullable<LanguageModelV4CallOptions['reasoning']>,
): boolean | string {
  if (reasoning === 'none') return false;
  return model.includes('gpt-oss') ? reasoning : true;
}
