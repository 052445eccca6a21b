import type { ToolAnnotation } from '@bulkhead/protocol';
import type { FlowCall } from './call.ts';

/** What a command prints that reached the network, or went on by itself, anybody may have written. */
export function isNetworked(call: FlowCall, { effect }: ToolAnnotation): boolean {
  return effect === 'execute' && (isConnected(call) || call.arguments['background'] === true);
}

/** It was given hosts: what it makes of what they say is theirs, too. */
export function isConnected({ metadata, arguments: args }: FlowCall): boolean {
  return (metadata?.hosts ?? []).length > 0 || Array.isArray(args['hosts']);
}
