import type { ToolAnnotation } from '@bulkhead/protocol';
import type { ArgumentValue, FlowCall } from './call.ts';

/** Effects that change nothing, or only labelled data. */
export const SILENT: ReadonlySet<string> = new Set(['read', 'remember', 'delegate']);

/** The place that a result came from, for people. */
export function sourceName(call: FlowCall, values: readonly ArgumentValue[]): string {
  return values.find(({ role }) => role === 'path-read')?.text ?? call.tool;
}

/** The strictest description, for a tool that has none. */
export function unknownTool(tool: string): ToolAnnotation {
  return { tool, effect: 'change', sink: 'mcp', arguments: {}, result: { writer: 'external' } };
}
