import type { ModelCall } from '@bulkhead/protocol';
import type { AssistantPart, Message, ToolDefinition } from '@bulkhead/protocol/chat';
import { estimateTokens } from './estimate-tokens.ts';

/**
 * Tokens that a provider adds to a request, a message and a tool: more than any of them documents.
 */
const AROUND_A_REQUEST = 1_000;
const AROUND_A_MESSAGE = 10;
const AROUND_A_TOOL = 40;
/** The most that a provider counts for one image of usual size. */
const TOKENS_PER_IMAGE = 5_000;
/** Hidden thinking comes encrypted, in at least this many characters a token. */
const OPAQUE_CHARACTERS_PER_TOKEN = 4;

/**
 * An upper bound of a request's input tokens before they are counted: the amount to reserve, and
 * the assumption for a failed attempt without a count.
 */
export function estimateInputTokens(call: Pick<ModelCall, 'system' | 'messages' | 'tools' | 'tail'>): number {
  const messages = call.messages.reduce((sum, message) => sum + messageTokens(message), 0);
  const tools = call.tools.reduce((sum, tool) => sum + toolTokens(tool), 0);
  const tail = call.tail ? AROUND_A_MESSAGE + estimateTokens(call.tail) : 0;
  return AROUND_A_REQUEST + estimateTokens(call.system) + messages + tools + tail;
}

function toolTokens({ name, description, inputSchemaJson }: ToolDefinition): number {
  return AROUND_A_TOOL + estimateTokens(name) + estimateTokens(description) + estimateTokens(inputSchemaJson);
}

function messageTokens({ role }: Message): number {
  switch (role.case) {
    case 'user':
      return AROUND_A_MESSAGE + estimateTokens(role.value.text) + role.value.images.length * TOKENS_PER_IMAGE;
    case 'tool':
      return AROUND_A_MESSAGE + estimateTokens(role.value.callId) + estimateTokens(role.value.text);
    case 'assistant':
      return role.value.parts.reduce((sum, part) => sum + partTokens(part), AROUND_A_MESSAGE);
    case undefined:
      return 0;
  }
}

function partTokens({ part, providerJson }: AssistantPart): number {
  const opaque = Math.ceil(providerJson.length / OPAQUE_CHARACTERS_PER_TOKEN);
  switch (part.case) {
    case 'toolCall': {
      const { callId, name, argumentsJson } = part.value;
      const text = estimateTokens(callId) + estimateTokens(name) + estimateTokens(argumentsJson);
      return AROUND_A_MESSAGE + opaque + text;
    }
    case 'text':
    case 'thinking':
      return opaque + estimateTokens(part.value.text);
    case undefined:
      return 0;
  }
}
