import { create } from '@bufbuild/protobuf';
import type { ApprovalService } from '@bulkhead/actions/approvals/approval-service';
import type { AuditSink } from '@bulkhead/audit';
import { type ClientService, GivenGrantSchema } from '@bulkhead/protocol/client';
import type { ServiceImpl } from '@connectrpc/connect';

/** Permissions that people gave for later commands. The log of actions has a revocation before it takes effect. */
export function grantCalls({ grants }: Pick<ApprovalService, 'grants'>, audit: AuditSink) {
  return {
    listGrants: () => ({
      grants: (grants?.list() ?? []).map(({ id, kind, targets, pattern, command, ...grant }) =>
        create(GivenGrantSchema, {
          grantId: id,
          kind,
          targets: [...targets],
          pattern: pattern ?? '',
          command: command ?? '',
          write: grant.write === true,
          scope: grant.scope,
          sessionId: grant.session,
          folder: grant.folder,
          ...grant.holder,
          by: grant.by,
          givenAt: new Date(grant.at).toISOString(),
        }),
      ),
    }),
    revokeGrant: async ({ grantId }) => {
      const grant = grants?.list().find(({ id }) => id === grantId);
      if (grants === undefined || grant === undefined) return { revoked: false };
      const details = { grant: grantId, targets: grant.targets, folder: grant.folder };
      const entry = { action: '', hash: '', session: grant.session, tool: '', details };
      await audit.append([{ step: 'GRANT_REVOKED', ...entry }]);
      return { revoked: grants.revoke(grantId) };
    },
  } satisfies Partial<ServiceImpl<typeof ClientService>>;
}
