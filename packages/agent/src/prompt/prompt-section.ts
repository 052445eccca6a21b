import type { PromptContext } from '@bulkhead/protocol/agent';

/** The facts a section may use. */
export type PromptFacts = Pick<
  PromptContext,
  'agentName' | 'workingFolder' | 'sessionId' | 'platform' | 'skills' | 'knowledge'
>;

/** A named piece of the system prompt. */
export interface PromptSection {
  readonly name: string;
  /** A function of the facts alone: no date, no counters, or the provider's prefix cache is lost. */
  render(facts: PromptFacts): string;
}
