import type { AssistantPart, Message } from '@bulkhead/protocol/chat';

/** UTF-8 bytes per token of ordinary text and code; known counts of providers replace it [K6]. */
const BYTES_PER_TOKEN = 3.5;
const AROUND_A_MESSAGE = 6;
const AROUND_A_FILE = 40;
const TOKENS_PER_IMAGE = 1_500;

const encoder = new TextEncoder();

/** Size of a text in UTF-8. */
function byteLength(text: string): number {
  return encoder.encode(text).length;
}

export function textTokens(text: string): number {
  return Math.ceil(byteLength(text) / BYTES_PER_TOKEN);
}

/** Tokens of one message, by its size: an estimate. */
export function messageTokens({ role }: Message): number {
  switch (role.case) {
    case 'user': {
      const { text, images, attachments } = role.value;
      const files = attachments.reduce((sum, file) => sum + AROUND_A_FILE + textTokens(file.text), 0);
      return AROUND_A_MESSAGE + textTokens(text) + files + images.length * TOKENS_PER_IMAGE;
    }
    case 'tool':
      return AROUND_A_MESSAGE + textTokens(role.value.text);
    case 'assistant':
      return role.value.parts.reduce((sum, part) => sum + partTokens(part), AROUND_A_MESSAGE);
    case undefined:
      return 0;
  }
}

function partTokens({ part }: AssistantPart): number {
  if (part.case === 'toolCall') return textTokens(part.value.name) + textTokens(part.value.argumentsJson);
  return textTokens(part.value?.text ?? '');
}
