import { CORE_SECTIONS } from './core-sections.ts';
import type { PromptFacts, PromptSection } from './prompt-section.ts';

const NO_FACTS: PromptFacts = { agentName: '', workingFolder: '', sessionId: '', platform: '' };

/**
 * The system prompt of a session: its sections in order, one blank line between. The same facts give the same
 * bytes, so that providers can cache it.
 *
 * @param facts undefined counts as all empty
 * @param sections in order; the default is what every agent has
 */
export function buildSystemPrompt(
  facts: PromptFacts = NO_FACTS,
  sections: readonly PromptSection[] = CORE_SECTIONS,
): string {
  return sections
    .map((section) => section.render(facts))
    .filter((text) => text !== '')
    .join('\n\n');
}
