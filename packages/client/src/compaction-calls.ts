import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  ClientService,
  type CompactSessionRequestSchema,
  type CompactSessionResponse,
  type PinRuleRequestSchema,
  type UnpinRuleRequestSchema,
} from '@bulkhead/protocol/client';
import type { GrpcConnection } from './grpc-connection.ts';

/** What a person does to what the model is shown of a long conversation. Rules are given as they are after the call. */
export interface CompactionCalls {
  /** Resolves once it is done, or once it is sure that it will be after the run under way. */
  compactSession(
    request: MessageInitShape<typeof CompactSessionRequestSchema>,
    signal?: AbortSignal,
  ): Promise<CompactSessionResponse>;
  /** @throws BulkheadError `usage` for an empty or long rule, or one too many */
  pinRule(
    request: MessageInitShape<typeof PinRuleRequestSchema>,
    signal?: AbortSignal,
  ): Promise<readonly string[]>;
  unpinRule(
    request: MessageInitShape<typeof UnpinRuleRequestSchema>,
    signal?: AbortSignal,
  ): Promise<readonly string[]>;
  listRules(sessionId: string, signal?: AbortSignal): Promise<readonly string[]>;
}

export function compactionCalls(connection: GrpcConnection): CompactionCalls {
  const { method } = ClientService;
  return {
    compactSession: (request, signal) => connection.unary(method.compactSession, request, signal),
    pinRule: async (request, signal) => (await connection.unary(method.pinRule, request, signal)).rules,
    unpinRule: async (request, signal) => (await connection.unary(method.unpinRule, request, signal)).rules,
    listRules: async (sessionId, signal) =>
      (await connection.unary(method.listRules, { sessionId }, signal)).rules,
  };
}
