import type { Message } from '@bulkhead/protocol/chat';
import type { SearchHit } from '../session-store.ts';

export interface SearchText {
  readonly role: SearchHit['role'];
  readonly text: string;
}

/**
 * The searchable text of a message: its words and tool results, not thoughts and arguments of
 * calls.
 */
export function searchTextOf(message: Message | undefined): SearchText | undefined {
  switch (message?.role.case) {
    case 'user':
      return { role: 'user', text: message.role.value.text };
    case 'tool':
      return { role: 'tool', text: message.role.value.text };
    case 'assistant': {
      const texts = message.role.value.parts.map(({ part }) => (part.case === 'text' ? part.value.text : ''));
      return { role: 'assistant', text: texts.filter((text) => text !== '').join('\n') };
    }
    default:
      return undefined;
  }
}
