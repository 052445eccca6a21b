import { createHash } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import type { ApprovalService } from '@bulkhead/actions/approvals/approval-service';
import { isOwnerAtClient } from '@bulkhead/actions/approvals/approver';
import type { Grant } from '@bulkhead/actions/grants/grant';
import type { AuditSink } from '@bulkhead/audit';
import type { ToolchainOffer } from '@bulkhead/processes/boxes/toolchain-offers';
import type { Commands } from '@bulkhead/processes/commands';
import { BulkheadError, type Origin, type ShownFolder } from '@bulkhead/protocol';
import { type AllowedToolchain, type ClientService, GivenGrantSchema } from '@bulkhead/protocol/client';
import type { ServiceImpl } from '@connectrpc/connect';
import type { OriginOf } from './call-origin.ts';

export interface GrantParts {
  readonly approvals: Pick<ApprovalService, 'grants'>;
  readonly audit: AuditSink;
  /** Folders of programs that commands could be shown. */
  readonly toolchains: Commands['toolchains'];
  /** Name of the profile in use. */
  readonly profile: string;
  readonly originOf: OriginOf;
}

const NO_ACTION = { action: '', hash: '', session: '', tool: '' };

/** Permissions that people gave for later commands. The log of actions has a change before it takes effect. */
export function grantCalls({ approvals: { grants }, audit, toolchains, profile, originOf }: GrantParts) {
  const originIn = (headers: Headers): Origin => ({ ...originOf(headers), profile });
  return {
    listGrants: () => ({ grants: (grants?.list() ?? []).map(viewOf) }),
    revokeGrant: async ({ grantId }) => {
      const grant = grants?.list().find(({ id }) => id === grantId);
      if (grants === undefined || grant === undefined) return { revoked: false };
      const details = { grant: grantId, targets: grant.targets, folder: grant.folder };
      await audit.append([{ ...NO_ACTION, step: 'GRANT_REVOKED', session: grant.session, details }]);
      return { revoked: grants.revoke(grantId) };
    },
    listToolchains: async (_request, { requestHeader }) => {
      const given = grants?.everywhere(originIn(requestHeader)) ?? [];
      const offers = await toolchains();
      return {
        toolchains: offers.map(({ place, programs, folders, problems }) => ({
          place,
          programs: [...programs],
          folders: folders.map(({ path }) => path),
          allowed: folders.length > 0 && folders.every((one) => given.some((grant) => shows(grant, one))),
          problems: [...problems],
          digest: digestOf(folders),
        })),
      };
    },
    allowToolchains: async ({ toolchains: chosen }, { requestHeader }) => {
      const origin = originIn(requestHeader);
      const { channel, sender } = origin;
      if (grants === undefined || !isOwnerAtClient({ channel, id: sender.id }))
        throw new BulkheadError('not_available', 'only the owner of this home can allow that, in a client');
      const offers = await toolchains();
      const given: Grant[] = [];
      for (const folders of chosen.map((one) => foldersOf(one, offers))) {
        const targets = folders.map(({ path }) => path);
        const details = {
          about: 'needs',
          kind: 'toolchain',
          targets,
          scope: 'home',
          approver: `${channel}/${sender.id}`,
        };
        await audit.append([{ ...NO_ACTION, step: 'APPROVED', details }]);
        given.push(grants.keepEverywhere(folders, origin));
      }
      return { grants: given.map(viewOf) };
    },
  } satisfies Partial<ServiceImpl<typeof ClientService>>;
}

/** @throws BulkheadError `not_found`, or `blocked` if they are not those that were shown */
function foldersOf(
  { place, digest }: AllowedToolchain,
  offers: readonly ToolchainOffer[],
): readonly ShownFolder[] {
  const folders = offers.find((one) => one.place === place)?.folders ?? [];
  if (folders.length > 0 && digestOf(folders) === digest) return folders;
  const [code, what] =
    folders.length > 0
      ? (['blocked', 'has changed since it was shown'] as const)
      : (['not_found', 'is no folder of programs that commands can be shown'] as const);
  throw new BulkheadError(code, `${place} ${what}`, { fix: 'See `bulkhead grants toolchains`.' });
}

function digestOf(folders: readonly ShownFolder[]): string {
  const facts = folders.map(({ path, identity }) => [path, identity]);
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}

function shows({ targets, identities = [] }: Grant, { path, identity }: ShownFolder): boolean {
  return targets.some((target, at) => target === path && identities[at] === identity);
}

function viewOf({ id, kind, targets, pattern, command, ...grant }: Grant) {
  return create(GivenGrantSchema, {
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
  });
}
