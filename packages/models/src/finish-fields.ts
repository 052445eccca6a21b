import type { LanguageModelV4FinishReason, LanguageModelV4Usage } from '@ai-sdk/provider';
import { create } from '@bufbuild/protobuf';
import { StopReason, type Usage, UsageSchema } from '@bulkhead/protocol/chat';

/**
 * A reply with calls always counts as stopped for calls: some servers report "stop" there. An
 * unknown reason becomes OTHER [L6].
 */
export function toStopReason(reason: LanguageModelV4FinishReason['unified'], hasCalls: boolean): StopReason {
  switch (reason) {
    case 'stop':
      return hasCalls ? StopReason.TOOL_CALLS : StopReason.STOP;
    case 'tool-calls':
      return StopReason.TOOL_CALLS;
    case 'length':
      return StopReason.LENGTH;
    case 'content-filter':
      return StopReason.CONTENT_FILTER;
    case 'error':
      return StopReason.ERROR;
    default:
      return StopReason.OTHER;
  }
}

/** Input includes cached tokens, output includes reasoning tokens; a missing number is 0 [D2]. */
export function toUsage(usage: LanguageModelV4Usage): Usage {
  return create(UsageSchema, {
    inputTokens: count(usage.inputTokens.total),
    outputTokens: count(usage.outputTokens.total),
    cachedInputTokens: count(usage.inputTokens.cacheRead),
    reasoningTokens: count(usage.outputTokens.reasoning),
    cacheWriteTokens: count(usage.inputTokens.cacheWrite),
  });
}

function count(value: number | undefined): number {
  if (value === undefined || !Number.isFinite(value)) return 0;
  return Math.min(0xffff_ffff, Math.max(0, Math.round(value)));
}
