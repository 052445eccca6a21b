import type { Message } from '@bulkhead/protocol/chat';

/** A message of a conversation in one line, for comparison. */
export function shortly({ role }: Message): string {
  if (role.case === 'user') return `user: ${role.value.text}`;
  if (role.case === 'tool') return `tool: ${role.value.text}`;
  const parts = role.value?.parts ?? [];
  return `assistant: ${parts.map(({ part }) => (part.case === 'text' ? part.value.text : part.value?.$typeName.split('.').at(-1))).join(' ')}`;
}
