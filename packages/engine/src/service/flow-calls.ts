import { create } from '@bufbuild/protobuf';
import type { FlowDesk } from '@bulkhead/actions/flow/flow-desk';
import {
  type ClientService,
  ExplainFlowResponseSchema,
  FlowEvidenceSchema,
  LabelledThingSchema,
} from '@bulkhead/protocol/client';
import type { ServiceImpl } from '@connectrpc/connect';

type FlowCalls = 'listLabels' | 'explainFlow' | 'declassify' | 'trustValue';

/** What clients can see of information flow, and take back; nobody else can. */
export function flowCalls(desk: FlowDesk): Pick<ServiceImpl<typeof ClientService>, FlowCalls> {
  return {
    listLabels: ({ sessionId }) => ({
      labels: desk
        .list(sessionId)
        .map(({ kind, name, label, annotatedBy = '' }) =>
          create(LabelledThingSchema, { kind, name, ...label, annotatedBy }),
        ),
    }),
    explainFlow: async (request) => {
      const explained = await desk.explain(request.actionId, request.sessionId);
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
      const { before, now } = await desk.declassify(sessionId);
      return { before: before.secrecy, now: now.secrecy, trust: now.trust };
    },
    trustValue: async ({ sessionId, value }) => {
      await desk.trust(sessionId, value);
      return {};
    },
  };
}
