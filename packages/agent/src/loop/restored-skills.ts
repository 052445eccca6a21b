import type { SkillText } from '@bulkhead/protocol/agent';
import type { Message } from '@bulkhead/protocol/chat';
import { userMessage } from './message-parts.ts';
import { skillText } from './skill-text.ts';

/**
 * Skills loaded before whose text the conversation no longer contains, as its first message, so
 * that the rest stays the same between requests.
 */
export function restoredSkills(skills: readonly SkillText[]): Message[] {
  if (skills.length === 0) return [];
  const head = '[Skills that were loaded earlier in this conversation, as load_skills gives them.]';
  return [userMessage([head, ...skills.map(skillText)].join('\n\n'))];
}
