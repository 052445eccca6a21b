import { create } from '@bufbuild/protobuf';
import {
  type AuditLog,
  type AuditVerification,
  type EntryFilter,
  listEntries,
  proveAction,
  verifyAuditLog,
} from '@bulkhead/audit';
import { BulkheadError } from '@bulkhead/protocol';
import {
  AuditLineSchema,
  type ClientService,
  type ListAuditRequest,
  VerifyAuditResponseSchema,
} from '@bulkhead/protocol/client';
import type { ServiceImpl } from '@connectrpc/connect';

const USUAL_LIMIT = 200;
const MAX_LIMIT = 5_000;

/**
 * Calls on the audit log for clients. Users with access to its files need no engine to read it.
 *
 * @param folder of the log
 */
export function auditCalls(log: Pick<AuditLog, 'rotateKey' | 'sign'>, folder: string) {
  return {
    rotateAuditKey: () => log.rotateKey(),
    listAudit: async (request, { signal }) => {
      const limit = Math.min(request.limit || USUAL_LIMIT, MAX_LIMIT);
      const entries = await listEntries(folder, filterOf(request), limit, signal);
      return {
        entries: entries.map(({ n, time, step, action, session, tool, details }) =>
          create(AuditLineSchema, {
            number: BigInt(n),
            time,
            step,
            actionId: action,
            sessionId: session,
            tool,
            detailsJson: JSON.stringify(details),
          }),
        ),
      };
    },
    verifyAudit: async (_request, { signal }) => verification(await verifyAuditLog(folder, { signal })),
    proveAction: async ({ actionId }, { signal }) => {
      await log.sign();
      return { proofJson: JSON.stringify(await proveAction(folder, actionId, signal)) };
    },
  } satisfies Partial<ServiceImpl<typeof ClientService>>;
}

function filterOf({ actionId, sessionId, since }: ListAuditRequest): EntryFilter {
  const from = since === '' ? undefined : Date.parse(since);
  if (from !== undefined && Number.isNaN(from)) {
    throw new BulkheadError('usage', `"${since}" is no time`, {
      fix: 'Write it as in 2026-01-31T12:00:00Z.',
    });
  }
  return {
    ...(actionId === '' ? {} : { action: actionId }),
    ...(sessionId === '' ? {} : { session: sessionId }),
    ...(from === undefined ? {} : { since: from }),
  };
}

function verification({ ok, entries, firstBad, signed }: AuditVerification) {
  const problem =
    firstBad === undefined
      ? ''
      : `entry ${firstBad.n}: ${firstBad.file}, line ${firstBad.line}: ${firstBad.reason}`;
  return create(VerifyAuditResponseSchema, {
    ok,
    entries: BigInt(entries),
    problem,
    key: signed?.key ?? '',
    checkpoints: BigInt(signed?.checkpoints ?? 0),
    signedEntries: BigInt(signed?.to ?? 0),
  });
}
