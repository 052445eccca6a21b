import { create } from '@bufbuild/protobuf';
import { type InputOptions, MAX_SHOWN_IN } from '@bulkhead/log/session/accepted-input';
import { SILENT_SENDER } from '@bulkhead/log/session/sender';
import type { SessionLog } from '@bulkhead/log/session/session-log';
import { skillCalls } from '@bulkhead/mind/skills/skill-calls';
import type { ApprovalMode } from '@bulkhead/protocol';
import { ALL_SESSIONS, BulkheadError, PRODUCT_VERSION, PROTOCOL_VERSION } from '@bulkhead/protocol';
import {
  BoxInfoSchema,
  ClientService,
  ProcessInfoSchema,
  ProviderKeySchema,
  type RunOptions,
  ApprovalMode as WireApprovalMode,
  Delivery as WireDelivery,
} from '@bulkhead/protocol/client';
import type { Delivery } from '@bulkhead/protocol/records';
import { noSession } from '@bulkhead/runtime/session/sessions';
import type { ConnectRouter, ServiceImpl } from '@connectrpc/connect';
import { accessCalls } from './access-calls.ts';
import { approvalCalls } from './approval-calls.ts';
import { auditCalls } from './audit-calls.ts';
import type { OriginOf } from './call-origin.ts';
import { chronicleCalls } from './chronicle-calls.ts';
import type { ClientServiceParts } from './client-service-parts.ts';
import { clockCalls } from './clock-calls.ts';
import { commandCalls } from './command-calls.ts';
import { compactionCalls } from './compaction-calls.ts';
import { consoleCalls } from './console-calls.ts';
import { contextCalls } from './context-calls.ts';
import { toConnectError } from './error-mapping.ts';
import { flowCalls } from './flow-calls.ts';
import { grantCalls } from './grant-calls.ts';
import { refuseChanges, tellErrors, typedErrors } from './interceptors.ts';
import { memoryCalls } from './memory-calls.ts';
import { privateHomeCalls } from './private-home-calls.ts';
import { sessionCalls } from './session-calls.ts';
import { findSession, sessionSummary } from './session-summary.ts';
import { settingsCalls } from './settings-calls.ts';
import { trustCalls } from './trust-calls.ts';

const APPROVAL_MODES: Readonly<Record<WireApprovalMode, ApprovalMode>> = {
  // An unspecified mode means that no person can be asked.
  [WireApprovalMode.UNSPECIFIED]: 'deny',
  [WireApprovalMode.DENY]: 'deny',
  [WireApprovalMode.ASK]: 'ask',
  [WireApprovalMode.ALLOW]: 'allow',
};

const DELIVERIES: Readonly<Record<WireDelivery, Delivery>> = {
  [WireDelivery.UNSPECIFIED]: 'follow_up',
  [WireDelivery.STEER]: 'steer',
  [WireDelivery.INTERRUPT]: 'interrupt',
  [WireDelivery.INVOKE]: 'invoke',
};

/** Most sessions in one list. */
const MAX_LIST = 10_000;

/**
 * The service for terminal, web and SDK clients [P7]. Access is checked before it is reached.
 *
 * @param originOf of the door through which the calls come
 */
export function registerClientService(
  router: ConnectRouter,
  parts: ClientServiceParts,
  originOf: OriginOf,
): void {
  router.service(ClientService, implementation(parts, originOf), {
    interceptors: [typedErrors, tellErrors(parts.onError), refuseChanges(parts.refuseChange)],
  });
}

function implementation(parts: ClientServiceParts, originOf: OriginOf): ServiceImpl<typeof ClientService> {
  const { sessions, log, approvals, facts } = parts;
  return {
    status: ({ workingFolder }) => ({
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
      boxes: facts.boxes.map((box) => create(BoxInfoSchema, { ...box, walls: [...box.walls] })),
      sandbox: facts.sandbox(),
      readableAround: workingFolder.startsWith('/') ? (parts.readableAround(workingFolder) ?? '') : '',
      keys: facts.providerKeys().map((key) => create(ProviderKeySchema, key)),
    }),
    createSession: ({ workingFolder, offTheRecord, history }, { requestHeader }) => {
      const { channel, sender } = originOf(requestHeader);
      // Of the APIs for programs, each session belongs to its caller.
      const caller = channel === 'api' ? sender.id : undefined;
      if (history.length === 0) return { sessionId: sessions.create(workingFolder, offTheRecord, caller) };
      if (offTheRecord) throw new BulkheadError('usage', 'a session off the record begins without a history');
      return { sessionId: sessions.createWith(history, workingFolder, caller) };
    },
    listSessions: ({ limit }) => ({
      sessions: log.store.listSessions(Math.min(limit || MAX_LIST, MAX_LIST)).map(sessionSummary),
    }),
    readSession: ({ sessionId }) => ({ session: sessionSummary(findSession(log.store, sessionId)) }),
    ...sessionCalls(parts),
    ...compactionCalls(parts),
    ...chronicleCalls(parts),
    ...auditCalls(parts.auditLog, parts.auditFolder),
    ...grantCalls({
      approvals,
      audit: parts.audit,
      toolchains: parts.toolchains,
      profile: facts.profile,
      originOf,
    }),
    ...trustCalls(parts.trust),
    ...flowCalls(parts.flow),
    ...memoryCalls(parts.memory),
    ...commandCalls(parts.background),
    ...privateHomeCalls(parts.privateHomes, parts.audit),
    ...contextCalls(parts.context),
    ...consoleCalls(parts.console),
    ...clockCalls(parts.time, parts.audit),
    ...skillCalls(parts.skills),
    ...settingsCalls(parts.settings, parts.redact),
    ...accessCalls(parts.access, () => facts.httpAddress()),
    // A client of this service watches with `watch`, which it may call before it sends.
    sendMessage: async (
      { sessionId, messageId, content, images, attachments, delivery, options },
      { requestHeader },
    ) => ({
      messageId,
      ...(await sessions.processMessage(SILENT_SENDER, sessionId, {
        messageId,
        origin: { ...originOf(requestHeader), profile: facts.profile },
        content,
        images,
        attachments,
        delivery: DELIVERIES[delivery] ?? 'follow_up',
        options: inputOptions(options),
      })),
    }),
    watch: ({ sessionId, afterSeq, follow }, { signal }) => {
      if (sessionId === ALL_SESSIONS) return watchAll(log, follow, signal);
      if (log.store.getSession(sessionId) === undefined) {
        throw toConnectError(noSession(sessionId));
      }
      return watch(log, sessionId, afterSeq, follow, signal);
    },
    cancelRun: ({ sessionId, messageId }) => ({ cancelled: sessions.cancel(sessionId, messageId) }),
    ...approvalCalls(approvals, parts.clock, originOf),
    submitToolResult: ({ sessionId, callId, text, isError }) => ({
      accepted: parts.clientCalls.submit({ sessionId, callId }, { text, isError }),
    }),
    handOverKeys: ({ keys }) => {
      parts.handOverKeys(keys);
      return {};
    },
    stop: async ({ restart }) => ({ unfinished: await parts.stop(restart) }),
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
      // A request for the log gets the log only: live events are not part of it.
      if (!follow && line.ephemeral) continue;
      if (line.seq > last) return;
      yield line;
      if (!line.ephemeral && line.seq >= last) return;
    }
  } finally {
    stop();
  }
}

async function* watchAll(log: SessionLog, follow: boolean, signal: AbortSignal) {
  if (!follow) throw new BulkheadError('usage', 'all sessions together can only be followed, from now on');
  const subscription = log.watchAll();
  signal.addEventListener('abort', () => subscription.close(), { once: true });
  try {
    yield* subscription;
  } finally {
    log.unwatchAll(subscription);
  }
}

function inputOptions(options: RunOptions | undefined): InputOptions {
  return {
    approve: APPROVAL_MODES[options?.approve ?? WireApprovalMode.DENY] ?? 'deny',
    model: options?.model ?? '',
    baseUrl: options?.baseUrl ?? '',
    maxRounds: options?.maxRounds ?? 0,
    ...(options?.shownIn ? { shownIn: options.shownIn.slice(0, MAX_SHOWN_IN) } : {}),
    dryRun: options?.dryRun ?? false,
    clientTools: (options?.clientTools ?? []).map(({ name, description, inputSchemaJson }) => ({
      name,
      description,
      inputSchemaJson,
    })),
  };
}
