import { textTokens } from '@bulkhead/agent';
import type { ModelCall } from '@bulkhead/protocol';

/** Tokens kept free for an answer [K1]; of a small window, no more than a quarter. */
const RESERVE = 4_096;

/** The tokens of a tool beside its texts. */
const AROUND_A_TOOL = 10;

/** Tokens of what a request holds whatever the conversation is, by their size. */
export function systemTokens({ system, tools }: Pick<ModelCall, 'system' | 'tools'>): number {
  const tokensOf = ({ description, inputSchemaJson }: (typeof tools)[number]): number =>
    textTokens(description) + textTokens(inputSchemaJson) + AROUND_A_TOOL;
  return tools.reduce((sum, tool) => sum + tokensOf(tool), textTokens(system));
}

/**
 * Tokens that a model has for a conversation: its window without the system part and without room for an answer.
 *
 * @param system tokens of the system prompt and the tools
 */
export function compactionBudget(contextWindow: number, system: number): number {
  const reserve = Math.min(RESERVE, contextWindow / 4);
  // A system part that fills the window leaves no budget: what is done then must still be bounded.
  return Math.max(Math.floor(contextWindow - system - reserve), Math.floor(contextWindow / 16));
}
