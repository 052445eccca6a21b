import type { ToolAnnotation } from '@bulkhead/protocol';
import { type ArgumentValue, type FlowCall, isGranted } from './call.ts';

/** Effects that change nothing, or only labelled data. */
export const SILENT: ReadonlySet<string> = new Set(['read', 'remember', 'delegate']);

/** The place that a result came from, for people. */
export function sourceName(call: FlowCall, values: readonly ArgumentValue[]): string {
  return values.find(({ role }) => role === 'path-read')?.text ?? call.tool;
}

/** True for a call that sends its folder, and says nothing about what is in it. */
export function isPush({ effect }: ToolAnnotation, values: readonly ArgumentValue[]): boolean {
  return effect === 'publish' && !values.some(({ role }) => role === 'content');
}

/** True for a call that sends more than its words, also if the person wrote those: a granted command does. */
export function isOpaque(call: FlowCall, tool: ToolAnnotation, values: readonly ArgumentValue[]): boolean {
  return isPush(tool, values) || isGranted(call.metadata);
}

/** The strictest description, for a tool that has none. */
export function unknownTool(tool: string): ToolAnnotation {
  return { tool, effect: 'change', sink: 'mcp', arguments: {}, result: { writer: 'external' } };
}
