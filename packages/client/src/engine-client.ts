import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type CancelRunRequestSchema,
  ClientService,
  type CommandInfo,
  type CreateSessionResponse,
  type DecideApprovalRequestSchema,
  type DecideApprovalResponse,
  type DeclassifyResponse,
  type DiffSnapshotRequestSchema,
  type ExplainFlowRequestSchema,
  type ExplainFlowResponse,
  type InspectFolderResponse,
  type LabelledThing,
  type ListSessionsResponse,
  type ListSnapshotsResponse,
  type ObjectDifference,
  type OpenApproval,
  type RollBackRequestSchema,
  type RollBackResponse,
  type RotateAuditKeyResponse,
  type SendMessageRequestSchema,
  type SendMessageResponse,
  type StatusResponse,
  type StopCommandRequestSchema,
  type SubmitToolResultRequestSchema,
  type TrustedFolder,
  type TrustValueRequestSchema,
  type VerifyChronicleResponse,
  type WatchRequestSchema,
  type WatchResponse,
} from '@bulkhead/protocol/client';
import { type AccessCalls, accessCalls } from './access-calls.ts';
import { type CompactionCalls, compactionCalls } from './compaction-calls.ts';
import { type ConsoleCalls, consoleCalls } from './console-calls.ts';
import type { GrpcConnection } from './grpc-connection.ts';
import { type MemoryCalls, memoryCalls } from './memory-calls.ts';
import { type SessionCalls, sessionCalls } from './session-calls.ts';
import { type SettingsClient, settingsClient } from './settings-client.ts';
import { type SkillClient, skillClient } from './skill-client.ts';

/**
 * The engine as a local client sees it. Every call throws a `BulkheadError`: `not_running` when the
 * connection is lost, `cancelled` when its signal fires, else what the engine answered: `not_found` for a
 * session or entry that isn't there, `store_corrupt` for a damaged one, `busy` for what needs an idle session.
 */
export interface EngineClient
  extends SessionCalls,
    CompactionCalls,
    TrustCalls,
    CommandCalls,
    ChronicleCalls,
    FlowCalls,
    MemoryCalls,
    SkillClient,
    SettingsClient,
    AccessCalls,
    ConsoleCalls,
    Disposable {
  status(signal?: AbortSignal): Promise<StatusResponse>;
  /**
   * @param workingFolder absolute path
   * @param options.offTheRecord nothing of the session is written to the disk; it ends with the engine
   */
  createSession(
    workingFolder: string,
    options?: { readonly offTheRecord?: boolean },
    signal?: AbortSignal,
  ): Promise<CreateSessionResponse>;
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
  /**
   * Ends one message, running or waiting; without a `messageId`, whatever is running.
   * @returns false if there was nothing to end
   */
  cancelRun(request: MessageInitShape<typeof CancelRunRequestSchema>, signal?: AbortSignal): Promise<boolean>;
  decideApproval(
    request: MessageInitShape<typeof DecideApprovalRequestSchema>,
    signal?: AbortSignal,
  ): Promise<DecideApprovalResponse>;
  /** @param approvalId only this one, with nothing of its action cut; empty for all that wait */
  listApprovals(approvalId: string, signal?: AbortSignal): Promise<readonly OpenApproval[]>;
  /**
   * Answers a call of a client tool, as the event `client_call` tells of it.
   * @returns false if no such call waits
   */
  submitToolResult(
    request: MessageInitShape<typeof SubmitToolResultRequestSchema>,
    signal?: AbortSignal,
  ): Promise<boolean>;
  /**
   * Gives the engine that the next restart starts keys of providers.
   * @param keys by the name of their variable
   * @throws BulkheadError `usage` for a name that `status` does not tell, or a value that can't be a key
   */
  handOverKeys(keys: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<void>;
  /**
   * Returns when nothing is under way in the engine any more, not when its processes have ended.
   * @returns how many messages the next engine continues
   */
  stop(options: { readonly restart: boolean }, signal?: AbortSignal): Promise<number>;
}

/** What a person says about a folder that holds instructions or programs for the product. Paths are absolute. */
interface TrustCalls {
  /** What trusting it would mean. @throws BulkheadError `usage`, or `blocked` for what can't be trusted */
  inspectFolder(folder: string, signal?: AbortSignal): Promise<InspectFolderResponse>;
  /** @param digest as inspected. @throws BulkheadError `blocked` if it isn't like that any more */
  trustFolder(folder: string, digest: string, signal?: AbortSignal): Promise<void>;
  /** @returns false if it was not trusted */
  revokeTrust(folder: string, signal?: AbortSignal): Promise<boolean>;
  listTrusted(signal?: AbortSignal): Promise<readonly TrustedFolder[]>;
}

/** What a person sees and ends of the commands that go on after their call. */
interface CommandCalls {
  /** @param sessionId empty for those of all sessions */
  listCommands(sessionId: string, signal?: AbortSignal): Promise<readonly CommandInfo[]>;
  /** @returns it as it ended, once nothing of it is left; undefined if there is no such command */
  stopCommand(
    request: MessageInitShape<typeof StopCommandRequestSchema>,
    signal?: AbortSignal,
  ): Promise<CommandInfo | undefined>;
}

/** What was there before each action, and the way back. */
interface ChronicleCalls {
  /** Newest first. @param limit 0 for the engine's own limit */
  listSnapshots(limit: number, signal?: AbortSignal): Promise<ListSnapshotsResponse>;
  diffSnapshot(
    request: MessageInitShape<typeof DiffSnapshotRequestSchema>,
    signal?: AbortSignal,
  ): AsyncGenerator<ObjectDifference>;
  /** @throws BulkheadError also `busy`; a conflict is no error: it is in the answer, and nothing was touched */
  rollBack(
    request: MessageInitShape<typeof RollBackRequestSchema>,
    signal?: AbortSignal,
  ): Promise<RollBackResponse>;
  verifyChronicle(signal?: AbortSignal): Promise<VerifyChronicleResponse>;
  /** Has another key sign the audit log. @returns both public keys @throws BulkheadError also `busy`, `audit_failed` */
  rotateAuditKey(signal?: AbortSignal): Promise<RotateAuditKeyResponse>;
}

/** What sessions have read, and what only a person may say of it. */
interface FlowCalls {
  /** @param sessionId only this session; empty for sessions, files and stores */
  listLabels(sessionId: string, signal?: AbortSignal): Promise<readonly LabelledThing[]>;
  explainFlow(
    request: MessageInitShape<typeof ExplainFlowRequestSchema>,
    signal?: AbortSignal,
  ): Promise<ExplainFlowResponse>;
  declassify(sessionId: string, signal?: AbortSignal): Promise<DeclassifyResponse>;
  trustValue(request: MessageInitShape<typeof TrustValueRequestSchema>, signal?: AbortSignal): Promise<void>;
}

/** @param connection is closed with the client */
export function createEngineClient(connection: GrpcConnection): EngineClient {
  const { method } = ClientService;
  return {
    status: (signal) => connection.unary(method.status, {}, signal),
    createSession: (workingFolder, options = {}, signal) =>
      connection.unary(method.createSession, { workingFolder, ...options }, signal),
    listSessions: (limit, signal) => connection.unary(method.listSessions, { limit }, signal),
    sendMessage: (request, signal) => connection.unary(method.sendMessage, request, signal),
    watch: (request, signal) => connection.stream(method.watch, request, signal),
    cancelRun: async (request, signal) =>
      (await connection.unary(method.cancelRun, request, signal)).cancelled,
    ...sessionCalls(connection),
    ...compactionCalls(connection),
    ...trustCalls(connection),
    ...commandCalls(connection),
    ...chronicleCalls(connection),
    ...flowCalls(connection),
    ...memoryCalls(connection),
    ...skillClient(connection),
    ...settingsClient(connection),
    ...accessCalls(connection),
    ...consoleCalls(connection),
    decideApproval: (request, signal) => connection.unary(method.decideApproval, request, signal),
    listApprovals: async (approvalId, signal) =>
      (await connection.unary(method.listApprovals, { approvalId }, signal)).approvals,
    submitToolResult: async (request, signal) =>
      (await connection.unary(method.submitToolResult, request, signal)).accepted,
    handOverKeys: async (keys, signal) => {
      await connection.unary(method.handOverKeys, { keys: { ...keys } }, signal);
    },
    stop: async ({ restart }, signal) =>
      (await connection.unary(method.stop, { restart }, signal)).unfinished,
    [Symbol.dispose]: () => connection[Symbol.dispose](),
  };
}

function commandCalls(connection: GrpcConnection): CommandCalls {
  const { method } = ClientService;
  return {
    listCommands: async (sessionId, signal) =>
      (await connection.unary(method.listCommands, { sessionId }, signal)).commands,
    stopCommand: async (request, signal) =>
      (await connection.unary(method.stopCommand, request, signal)).command,
  };
}

function trustCalls(connection: GrpcConnection): TrustCalls {
  const { method } = ClientService;
  return {
    inspectFolder: (folder, signal) => connection.unary(method.inspectFolder, { folder }, signal),
    trustFolder: async (folder, digest, signal) => {
      await connection.unary(method.trustFolder, { folder, digest }, signal);
    },
    revokeTrust: async (folder, signal) =>
      (await connection.unary(method.revokeTrust, { folder }, signal)).revoked,
    listTrusted: async (signal) => (await connection.unary(method.listTrusted, {}, signal)).folders,
  };
}

function chronicleCalls(connection: GrpcConnection): ChronicleCalls {
  const { method } = ClientService;
  return {
    listSnapshots: (limit, signal) => connection.unary(method.listSnapshots, { limit }, signal),
    async *diffSnapshot(request, signal) {
      for await (const { difference } of connection.stream(method.diffSnapshot, request, signal)) {
        if (difference !== undefined) yield difference;
      }
    },
    rollBack: (request, signal) => connection.unary(method.rollBack, request, signal),
    verifyChronicle: (signal) => connection.unary(method.verifyChronicle, {}, signal),
    rotateAuditKey: (signal) => connection.unary(method.rotateAuditKey, {}, signal),
  };
}

function flowCalls(connection: GrpcConnection): FlowCalls {
  const { method } = ClientService;
  return {
    listLabels: async (sessionId, signal) =>
      (await connection.unary(method.listLabels, { sessionId }, signal)).labels,
    explainFlow: (request, signal) => connection.unary(method.explainFlow, request, signal),
    declassify: (sessionId, signal) => connection.unary(method.declassify, { sessionId }, signal),
    trustValue: async (request, signal) => {
      await connection.unary(method.trustValue, request, signal);
    },
  };
}
