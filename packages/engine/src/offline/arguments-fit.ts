import { BulkheadError } from '@bulkhead/protocol';
import { everyTool } from '@bulkhead/tools';

/**
 * Whether a tool of the product would accept these arguments: a refused call is neither checked nor
 * executed.
 */
export type ArgumentsFit = 'fits' | 'refused' | 'unknown-tool';

/** @param args as a model sent them */
export function argumentsFit(tool: string, args: unknown): ArgumentsFit {
  const description = everyTool.find(({ name }) => name === tool);
  if (description === undefined) return 'unknown-tool';
  try {
    description.parse(args);
    return 'fits';
  } catch (error) {
    if (BulkheadError.is(error)) return 'refused';
    throw error;
  }
}
