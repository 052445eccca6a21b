import type { ToolAnnotation } from '@bulkhead/protocol';
import type { FlowCall } from './call.ts';

/**
 * True for a command whose output anyone may have written: it had network access, or ran in the
 * background.
 */
export function isNetworked(call: FlowCall, { effect }: ToolAnnotation): boolean {
  return effect === 'execute' && (isConnected(call) || call.arguments['background'] === true);
}

/** It had network hosts: its output also derives from their data. */
export function isConnected({ metadata, arguments: args }: FlowCall): boolean {
  return (metadata?.hosts ?? []).length > 0 || Array.isArray(args['hosts']);
}
