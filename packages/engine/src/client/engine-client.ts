import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  ClientService,
  type CreateSessionResponse,
  type DecideApprovalRequestSchema,
  type DecideApprovalResponse,
  type ListSessionsResponse,
  type SendMessageRequestSchema,
  type SendMessageResponse,
  type StatusResponse,
  type WatchRequestSchema,
  type WatchResponse,
} from '@bulkhead/protocol/client';
import type { GrpcConnection } from './grpc-connection.ts';

/**
 * The engine as a local client sees it. Every call throws a `BulkheadError`: `not_running` when the
 * connection is lost, `cancelled` when its signal fires, else what the engine answered.
 */
export interface EngineClient extends Disposable {
  status(signal?: AbortSignal): Promise<StatusResponse>;
  /** @param workingFolder absolute path */
  createSession(workingFolder: string, signal?: AbortSignal): Promise<CreateSessionResponse>;
  /** Newest first. @param limit 0 for the engine's own limit */
  listSessions(limit: number, signal?: AbortSignal): Promise<ListSessionsResponse>;
  /** Resolves once the message is durable. Safe to repeat with the same `messageId`. */
  sendMessage(
    request: MessageInitShape<typeof SendMessageRequestSchema>,
    signal?: AbortSignal,
  ): Promise<SendMessageResponse>;
  watch(
    request: MessageInitShape<typeof WatchRequestSchema>,
    signal?: AbortSignal,
  ): AsyncGenerator<WatchResponse>;
  /** @returns false if nothing was running */
  cancelRun(sessionId: string, signal?: AbortSignal): Promise<boolean>;
  decideApproval(
    request: MessageInitShape<typeof DecideApprovalRequestSchema>,
    signal?: AbortSignal,
  ): Promise<DecideApprovalResponse>;
  /** Returns when the engine has agreed to stop, not when it has. */
  stop(options: { readonly restart: boolean }, signal?: AbortSignal): Promise<void>;
}

/** @param connection is closed with the client */
export function createEngineClient(connection: GrpcConnection): EngineClient {
  const { method } = ClientService;
  return {
    status: (signal) => connection.unary(method.status, {}, signal),
    createSession: (workingFolder, signal) =>
      connection.unary(method.createSession, { workingFolder }, signal),
    listSessions: (limit, signal) => connection.unary(method.listSessions, { limit }, signal),
    sendMessage: (request, signal) => connection.unary(method.sendMessage, request, signal),
    watch: (request, signal) => connection.stream(method.watch, request, signal),
    cancelRun: async (sessionId, signal) =>
      (await connection.unary(method.cancelRun, { sessionId }, signal)).cancelled,
    decideApproval: (request, signal) => connection.unary(method.decideApproval, request, signal),
    stop: async ({ restart }, signal) => {
      await connection.unary(method.stop, { restart }, signal);
    },
    [Symbol.dispose]: () => connection[Symbol.dispose](),
  };
}
