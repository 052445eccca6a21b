import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type AddMemoryRequestSchema,
  type AddMemoryResponse,
  ClientService,
  type DecideMemoryProposalResponse,
  type MemoryHit,
  type MemoryProposal,
  type ShowMemoryResponse,
} from '@bulkhead/protocol/client';
import type { GrpcConnection } from './grpc-connection.ts';

/** What outlives sessions, and what waits for a person. */
export interface MemoryCalls {
  /** @param path of one file, to have its text; empty for the list alone. @throws BulkheadError also `not_found` */
  showMemory(path: string, signal?: AbortSignal): Promise<ShowMemoryResponse>;
  /** @param limit 0 for the engine's own limit */
  searchMemory(query: string, limit: number, signal?: AbortSignal): Promise<readonly MemoryHit[]>;
  addMemory(
    request: MessageInitShape<typeof AddMemoryRequestSchema>,
    signal?: AbortSignal,
  ): Promise<AddMemoryResponse>;
  /** @returns how many texts can be found now */
  reindexMemory(signal?: AbortSignal): Promise<number>;
  /** @param all also those that were decided */
  listMemoryProposals(all: boolean, signal?: AbortSignal): Promise<readonly MemoryProposal[]>;
  /** @throws BulkheadError also `usage` for one that was decided */
  decideMemoryProposal(
    id: string,
    decision: 'accept' | 'reject' | 'revert',
    signal?: AbortSignal,
  ): Promise<DecideMemoryProposalResponse>;
}

export function memoryCalls(connection: GrpcConnection): MemoryCalls {
  const { method } = ClientService;
  return {
    showMemory: (path, signal) => connection.unary(method.showMemory, { path }, signal),
    searchMemory: async (query, limit, signal) =>
      (await connection.unary(method.searchMemory, { query, limit }, signal)).hits,
    addMemory: (request, signal) => connection.unary(method.addMemory, request, signal),
    reindexMemory: async (signal) => (await connection.unary(method.reindexMemory, {}, signal)).texts,
    listMemoryProposals: async (all, signal) =>
      (await connection.unary(method.listMemoryProposals, { all }, signal)).proposals,
    decideMemoryProposal: (id, decision, signal) =>
      connection.unary(method.decideMemoryProposal, { id, decision }, signal),
  };
}
