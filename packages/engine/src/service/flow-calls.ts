import { create } from '@bufbuild/protobuf';
import type { FlowService } from '@bulkhead/actions/flow/flow-service';
import {
  type ClientService,
  ExplainFlowResponseSchema,
  FlowEvidenceSchema,
  LabelledThingSchema,
} from '@bulkhead/protocol/client';
import type { ServiceImpl } from '@connectrpc/connect';

/** Calls that show information flow and revoke grants, for clients only. */
export function flowCalls(service: FlowService) {
  return {
    listLabels: ({ sessionId }) => ({
      labels: service
        .list(sessionId)
        .map(({ kind, name, label, annotatedBy = '' }) =>
          create(LabelledThingSchema, { kind, name, ...label, annotatedBy }),
        ),
    }),
    explainFlow: async (request) => {
      const explained = await service.explain(request.actionId, request.sessionId);
      const { sessionId, actionId, annotatedBy, call, verdict, label } = explained;
      const { decision, rule, reason, audited, evidence } = verdict;
      return create(ExplainFlowResponseSchema, {
        sessionId,
        actionId,
        annotatedBy,
        tool: call.tool,
        decision,
        rule,
        reason,
        audited: audited ?? '',
        evidence: evidence.map((each) => create(FlowEvidenceSchema, { ...each })),
        ...label,
      });
    },
    declassify: async ({ sessionId }) => {
      const { before, now } = await service.declassify(sessionId);
      return { before: before.secrecy, now: now.secrecy, trust: now.trust };
    },
    trustValue: async ({ sessionId, value }) => {
      await service.trust(sessionId, value);
      return {};
    },
  } satisfies Partial<ServiceImpl<typeof ClientService>>;
}
