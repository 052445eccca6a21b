import { create } from '@bufbuild/protobuf';
import type { AccessService } from '@bulkhead/actions/access/access-service';
import { AccessGrantSchema, type ClientService } from '@bulkhead/protocol/client';
import type { ServiceImpl } from '@connectrpc/connect';

/** Calls with which the owner views and changes access over HTTP. */
export function accessCalls(access: AccessService, httpAddress: () => string) {
  return {
    readAccessToken: () => ({ token: access.ownerToken(), httpAddress: httpAddress() }),
    rotateAccessToken: () => access.rotate(),
    createLoginCode: () => {
      const { code, expires } = access.createLoginCode();
      return { code, expiresAt: timeText(expires), httpAddress: httpAddress() };
    },
    createProgramToken: async ({ name }) => ({ token: await access.createProgram(name) }),
    listAccess: () => {
      const owner = access.owner();
      const grants = access.grants().toReversed();
      return {
        grants: [
          ...(owner === undefined ? [] : [create(AccessGrantSchema, { id: owner.id, kind: owner.kind })]),
          ...grants.map(({ id, kind, name, created, used, expires }) =>
            create(AccessGrantSchema, {
              id,
              kind,
              name,
              createdAt: timeText(created),
              usedAt: timeText(used),
              expiresAt: timeText(expires),
            }),
          ),
        ],
      };
    },
    revokeAccess: async ({ target }) => ({ revoked: await access.revoke(target) }),
  } satisfies Partial<ServiceImpl<typeof ClientService>>;
}

function timeText(time: number | undefined): string {
  return time === undefined ? '' : new Date(time).toISOString();
}
