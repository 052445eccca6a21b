import type { Redaction, ToolUpdate } from '@bulkhead/protocol';

/**
 * Partial output without secrets. Text that may be the start of a secret is held back, at most
 * until disposal, which precedes the result.
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
