import { create } from '@bufbuild/protobuf';
import { BulkheadError, PRODUCT_VERSION, PROTOCOL_VERSION } from '@bulkhead/protocol';
import {
  ApprovalAnswer,
  ClientService,
  ProcessInfoSchema,
  type RunOptions,
  SessionSummarySchema,
  ApprovalMode as WireApprovalMode,
} from '@bulkhead/protocol/client';
import { ConnectError, type ConnectRouter, type Interceptor, type ServiceImpl } from '@connectrpc/connect';
import type { ApprovalDesk, ApprovalMode } from '../approvals/approval-desk.ts';
import type { InputOptions } from '../session/session-actor.ts';
import type { SessionLog } from '../session/session-log.ts';
import type { Sessions } from '../session/sessions.ts';
import { toConnectError } from './error-mapping.ts';

/** What `status` tells beside versions and sessions. */
interface EngineFacts {
  readonly supervisorPid: number;
  readonly startedAt: number;
  httpAddress(): string;
  model(): string;
  processes(): readonly { readonly kind: string; readonly pid: number; readonly sessionId: string }[];
  notices(): readonly string[];
}

export interface ClientServiceParts {
  readonly sessions: Sessions;
  readonly log: SessionLog;
  readonly approvals: ApprovalDesk;
  readonly facts: EngineFacts;
  /** Ends the engine; the answer to the client goes out first. @throws BulkheadError if it could not restart */
  stop(restart: boolean): void;
}

const APPROVAL_MODES: Readonly<Record<WireApprovalMode, ApprovalMode>> = {
  // Nothing said is nobody to ask.
  [WireApprovalMode.UNSPECIFIED]: 'deny',
  [WireApprovalMode.DENY]: 'deny',
  [WireApprovalMode.ASK]: 'ask',
  [WireApprovalMode.ALLOW]: 'allow',
};

/** Most sessions one list holds. */
const MAX_LIST = 1_000;

/** The service for terminal, web and SDK clients [P7]. Who may call it is decided before it is reached. */
export function registerClientService(router: ConnectRouter, parts: ClientServiceParts): void {
  router.service(ClientService, implementation(parts), { interceptors: [typedErrors] });
}

function implementation(parts: ClientServiceParts): ServiceImpl<typeof ClientService> {
  const { sessions, log, approvals, facts } = parts;
  return {
    status: () => ({
      version: PRODUCT_VERSION,
      protocolVersion: PROTOCOL_VERSION,
      supervisorPid: facts.supervisorPid,
      enginePid: process.pid,
      processes: facts.processes().map((info) => create(ProcessInfoSchema, { ...info })),
      httpAddress: facts.httpAddress(),
      model: facts.model(),
      startedAt: new Date(facts.startedAt).toISOString(),
      sessions: log.store.countSessions(),
      activeRuns: sessions.activeRuns,
      notices: [...facts.notices()],
    }),
    createSession: ({ workingFolder }) => ({ sessionId: sessions.create(workingFolder) }),
    listSessions: ({ limit }) => ({
      sessions: log.store.listSessions(Math.min(limit || MAX_LIST, MAX_LIST)).map((session) =>
        create(SessionSummarySchema, {
          sessionId: session.id,
          title: session.title,
          workingFolder: session.workingFolder,
          createdAt: new Date(session.createdAt).toISOString(),
          updatedAt: new Date(session.updatedAt).toISOString(),
          messages: session.messages,
        }),
      ),
    }),
    sendMessage: ({ sessionId, messageId, content, options }) => {
      if (messageId === '') throw new BulkheadError('usage', 'a message needs an id');
      return {
        messageId,
        ...sessions.accept(sessionId, { messageId, content, options: inputOptions(options) }),
      };
    },
    watch: ({ sessionId, afterSeq, follow }, { signal }) => {
      if (log.store.getSession(sessionId) === undefined) {
        throw toConnectError(new BulkheadError('not_found', `there is no session ${sessionId}`));
      }
      return watch(log, sessionId, afterSeq, follow, signal);
    },
    cancelRun: ({ sessionId }) => ({ cancelled: sessions.cancel(sessionId) }),
    decideApproval: ({ sessionId, approvalId, actionHash, answer }) => ({
      accepted: approvals.decide(
        approvalId,
        sessionId,
        actionHash,
        answer === ApprovalAnswer.ALLOW_ONCE ? 'allow' : 'deny',
      ),
    }),
    stop: ({ restart }) => {
      parts.stop(restart);
      return {};
    },
  };
}

async function* watch(
  log: SessionLog,
  sessionId: string,
  afterSeq: number,
  follow: boolean,
  signal: AbortSignal,
) {
  const subscription = log.watch(sessionId, afterSeq);
  const stop = (): void => log.unwatch(sessionId, subscription);
  signal.addEventListener('abort', stop, { once: true });
  const last = follow ? Number.POSITIVE_INFINITY : log.store.lastSeq(sessionId);
  try {
    if (afterSeq >= last) return;
    for await (const line of subscription) {
      if (line.seq > last) return;
      yield line;
      if (!line.ephemeral && line.seq >= last) return;
    }
  } finally {
    stop();
  }
}

function inputOptions(options: RunOptions | undefined): InputOptions {
  return {
    approve: APPROVAL_MODES[options?.approve ?? WireApprovalMode.DENY] ?? 'deny',
    model: options?.model ?? '',
    baseUrl: options?.baseUrl ?? '',
    maxRounds: options?.maxRounds ?? 0,
  };
}

/** Errors leave with their code and how to mend them, never with a stack. */
const typedErrors: Interceptor = (next) => async (request) => {
  try {
    return await next(request);
  } catch (error) {
    throw error instanceof ConnectError ? error : toConnectError(error);
  }
};
