import type { MessageInitShape } from '@bufbuild/protobuf';
import { BulkheadError } from '@bulkhead/protocol';
import {
  type BranchEntry,
  ClientService,
  type DeleteSessionRequestSchema,
  type ExportSessionRequestSchema,
  type ForkSessionRequestSchema,
  type ImportSessionRequestSchema,
  type ImportSessionResponse,
  type LabelEntryRequestSchema,
  type MoveLeafRequestSchema,
  type ReadBranchRequestSchema,
  type ReadContextRequestSchema,
  type ReadContextResponse,
  type ReadTreeRequestSchema,
  type ReadTreeResponse,
  type ReadUsageRequestSchema,
  type SearchHit,
  type SearchSessionsRequestSchema,
  type SessionSummary,
  type SetTitleRequestSchema,
  type UsageRow,
} from '@bulkhead/protocol/client';
import type { GrpcConnection } from './grpc-connection.ts';

type UsageRequest = MessageInitShape<typeof ReadUsageRequestSchema>;
type ContextRequest = MessageInitShape<typeof ReadContextRequestSchema>;

/** What can be done with sessions as wholes. */
export interface SessionCalls {
  /**
   * @param given a session's id, or at least six characters of the beginning or the end of it
   * @throws BulkheadError also `usage` if several sessions could be meant
   */
  readSession(given: string, signal?: AbortSignal): Promise<SessionSummary>;
  /** @returns the id of the new session */
  forkSession(
    request: MessageInitShape<typeof ForkSessionRequestSchema>,
    signal?: AbortSignal,
  ): Promise<string>;
  moveLeaf(request: MessageInitShape<typeof MoveLeafRequestSchema>, signal?: AbortSignal): Promise<void>;
  labelEntry(request: MessageInitShape<typeof LabelEntryRequestSchema>, signal?: AbortSignal): Promise<void>;
  setTitle(request: MessageInitShape<typeof SetTitleRequestSchema>, signal?: AbortSignal): Promise<void>;
  /** The conversation from its root to the leaf or a given entry; a fork's begins with its origin's entries. */
  readBranch(
    request: MessageInitShape<typeof ReadBranchRequestSchema>,
    signal?: AbortSignal,
  ): AsyncGenerator<BranchEntry>;
  /** A page of all branches, the newest if not told otherwise; parents first. */
  readTree(
    request: MessageInitShape<typeof ReadTreeRequestSchema>,
    signal?: AbortSignal,
  ): Promise<ReadTreeResponse>;
  /** Best first. */
  searchSessions(
    request: MessageInitShape<typeof SearchSessionsRequestSchema>,
    signal?: AbortSignal,
  ): Promise<readonly SearchHit[]>;
  /** The text of the export, in pieces. It is whole only if the iteration ends without an error. */
  exportSession(
    request: MessageInitShape<typeof ExportSessionRequestSchema>,
    signal?: AbortSignal,
  ): AsyncGenerator<string>;
  importSession(
    request: MessageInitShape<typeof ImportSessionRequestSchema>,
    signal?: AbortSignal,
  ): Promise<ImportSessionResponse>;
  /** @returns the ids of all sessions that are gone */
  /** Lets a session go on without the records that its log lost. @returns what was lost */
  acceptLoss(request: { readonly sessionId: string }, signal?: AbortSignal): Promise<string>;
  deleteSession(
    request: MessageInitShape<typeof DeleteSessionRequestSchema>,
    signal?: AbortSignal,
  ): Promise<readonly string[]>;
  readUsage(request: UsageRequest, signal?: AbortSignal): Promise<readonly UsageRow[]>;
  /** A model request by section, with the tokens of each. */
  readContext(request: ContextRequest, signal?: AbortSignal): Promise<ReadContextResponse>;
}

export function sessionCalls(connection: GrpcConnection): SessionCalls {
  const { method } = ClientService;
  return {
    readSession: async (sessionId, signal) => {
      const { session } = await connection.unary(method.readSession, { sessionId }, signal);
      if (session !== undefined) return session;
      throw new BulkheadError('protocol_violation', 'the engine found a session and did not say which');
    },
    forkSession: async (request, signal) =>
      (await connection.unary(method.forkSession, request, signal)).sessionId,
    moveLeaf: async (request, signal) => {
      await connection.unary(method.moveLeaf, request, signal);
    },
    labelEntry: async (request, signal) => {
      await connection.unary(method.labelEntry, request, signal);
    },
    setTitle: async (request, signal) => {
      await connection.unary(method.setTitle, request, signal);
    },
    async *readBranch(request, signal) {
      for await (const { entries } of connection.stream(method.readBranch, request, signal)) yield* entries;
    },
    readTree: (request, signal) => connection.unary(method.readTree, request, signal),
    searchSessions: async (request, signal) =>
      (await connection.unary(method.searchSessions, request, signal)).hits,
    async *exportSession(request, signal) {
      for await (const { chunk } of connection.stream(method.exportSession, request, signal)) yield chunk;
    },
    importSession: (request, signal) => connection.unary(method.importSession, request, signal),
    acceptLoss: async (request, signal) => (await connection.unary(method.acceptLoss, request, signal)).lost,
    deleteSession: async (request, signal) =>
      (await connection.unary(method.deleteSession, request, signal)).deleted,
    readUsage: async (request, signal) => (await connection.unary(method.readUsage, request, signal)).rows,
    readContext: (request, signal) => connection.unary(method.readContext, request, signal),
  };
}
