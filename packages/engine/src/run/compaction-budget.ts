/** Tokens kept free for an answer [K1]; of a small window, no more than a quarter. */
const RESERVE = 4_096;

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
