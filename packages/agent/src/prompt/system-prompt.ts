import { type PromptFacts, type PromptSection, promptFacts } from './prompt-section.ts';
import { PROMPT_SECTIONS } from './prompt-sections.ts';

/** A section within a prompt. */
export interface RenderedSection {
  readonly name: string;
  readonly text: string;
}

/**
 * The system part by section, without empty ones. The same facts give the same bytes.
 *
 * @param sections in order; the default is every agent's
 */
export function systemSections(
  facts: PromptFacts = promptFacts(undefined),
  sections: readonly PromptSection[] = PROMPT_SECTIONS,
): readonly RenderedSection[] {
  return sections
    .map((section) => ({ name: section.name, text: section.render(facts) }))
    .filter(({ text }) => text !== '');
}

/** The system part of every request of a session: its sections in order, one blank line between. */
export function buildSystemPrompt(
  facts: PromptFacts = promptFacts(undefined),
  sections: readonly PromptSection[] = PROMPT_SECTIONS,
): string {
  return systemSections(facts, sections)
    .map(({ text }) => text)
    .join('\n\n');
}
