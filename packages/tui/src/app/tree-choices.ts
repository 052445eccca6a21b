import type { BranchEntry } from '@bulkhead/protocol/client';
import { firstLine } from '@bulkhead/protocol/transcript';
import type { Choice } from '../panels/picker.ts';

/** Entries of a conversation, as places to go back to or to fork from. */
export function treeChoices(entries: readonly BranchEntry[]): readonly Choice[] {
  return entries.map((entry) => ({ value: entry.entryId, label: labelOf(entry), about: entry.label }));
}

function labelOf({ message, type, text }: BranchEntry): string {
  switch (message?.role.case) {
    case 'user':
      return `you: ${firstLine(message.role.value.text)}`;
    case 'assistant': {
      const parts = message.role.value.parts.map(({ part }) => {
        if (part.case === 'text') return firstLine(part.value.text);
        return part.case === 'toolCall' ? `[${part.value.name}]` : '';
      });
      return `  bulkhead: ${parts.filter((part) => part !== '').join(' ')}`;
    }
    case 'tool':
      return `    ${message.role.value.name}: ${firstLine(message.role.value.text)}`;
    default:
      return `· ${type}: ${firstLine(text)}`;
  }
}

/** The call a tool's entry answers; undefined for any other entry. */
export function callOf(entries: readonly BranchEntry[], entryId: string): string | undefined {
  const role = entries.find((entry) => entry.entryId === entryId)?.message?.role;
  return role?.case === 'tool' ? role.value.callId : undefined;
}
