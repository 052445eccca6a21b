import type { Redaction, ToolUpdate } from '@bulkhead/protocol';

/**
 * Partial output without secrets. What is held back, since it may become one, is passed on at the latest when it is
 * disposed of: before the result.
 */
export function redactUpdates(
  update: ToolUpdate,
  redaction: Redaction,
): Disposable & { readonly push: ToolUpdate } {
  const stream = redaction.redactor();
  const pass = (text: string): void => {
    if (text !== '') update(text);
  };
  return {
    push: (text) => pass(stream.push(text)),
    [Symbol.dispose]: () => pass(stream.end()),
  };
}
