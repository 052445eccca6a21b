import type { ToolAnnotation } from '@bulkhead/protocol';
import type { FlowCall } from './call.ts';

/**
 * True for output that anyone may have written: of a command with network access, or in the
 * background.
 */
export function isNetworked(call: FlowCall, { effect }: ToolAnnotation): boolean {
  return effect === 'execute' && (isConnected(call) || call.arguments['background'] === true);
}

/** It had network hosts: its output also derives from their data. */
export function isConnected({ metadata, arguments: args }: FlowCall): boolean {
  return (metadata?.hosts ?? []).length > 0 || Array.isArray(args['hosts']);
}
