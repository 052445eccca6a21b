import type { ToolAnnotation } from '../annotations/tool-annotation.ts';
import type { FlowCall } from './call.ts';

/** What a command prints that reached the network, or went on by itself, anybody may have written. */
export function isNetworked({ metadata, arguments: args }: FlowCall, { effect }: ToolAnnotation): boolean {
  if (effect !== 'execute') return false;
  return (metadata?.hosts ?? []).length > 0 || args['background'] === true || Array.isArray(args['hosts']);
}
