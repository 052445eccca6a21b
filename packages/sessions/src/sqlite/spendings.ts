import type { ModelCallTotals } from '../session-store.ts';
import { integer, type Row, text } from './read-row.ts';
import type { Statements } from './statements.ts';

/** Adds to the counts by day, purpose and model alone. Must be called within a transaction. */
export function addSpendings(statements: Statements, totals: readonly ModelCallTotals[]): void {
  for (const row of totals) {
    statements.addSpending.run(
      row.day,
      row.purpose,
      row.model,
      row.calls,
      row.failed,
      row.inputTokens,
      row.outputTokens,
      row.cachedInputTokens,
      row.reasoningTokens,
      row.cost,
      row.unpriced,
    );
  }
}

export function readSpendings(statements: Statements): readonly ModelCallTotals[] {
  return statements.spendings.all().map((row: Row) => ({
    day: text(row, 'day'),
    session: '',
    purpose: text(row, 'purpose'),
    model: text(row, 'model'),
    calls: integer(row, 'calls'),
    failed: integer(row, 'failed'),
    inputTokens: integer(row, 'input_tokens'),
    outputTokens: integer(row, 'output_tokens'),
    cachedInputTokens: integer(row, 'cached_input_tokens'),
    reasoningTokens: integer(row, 'reasoning_tokens'),
    cost: integer(row, 'cost'),
    unpriced: integer(row, 'unpriced'),
  }));
}
