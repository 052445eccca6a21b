import { create } from '@bufbuild/protobuf';
import type { TrustRecord } from '@bulkhead/mind/trust/trust-record';
import type { Trust, TrustStore } from '@bulkhead/mind/trust/trust-store';
import { BulkheadError } from '@bulkhead/protocol';
import {
  type ClientService,
  InspectFolderResponseSchema,
  type TrustedFolder,
  TrustedFolderSchema,
  TrustState,
} from '@bulkhead/protocol/client';
import type { ServiceImpl } from '@connectrpc/connect';

const STATES: Readonly<Record<Trust['state'], TrustState>> = {
  untrusted: TrustState.UNTRUSTED,
  trusted: TrustState.TRUSTED,
  changed: TrustState.CHANGED,
};

/** Calls that change trust, for clients only. */
export function trustCalls(trust: TrustStore) {
  return {
    inspectFolder: async (request) => {
      const { folder, trust: now, files, digest } = await trust.inspect(request.folder);
      return create(InspectFolderResponseSchema, {
        folder,
        ...stateView(now),
        files: files.map((file) => ({ ...file, size: BigInt(file.size) })),
        digest,
      });
    },
    trustFolder: async ({ folder, digest }) => {
      await trust.grant(folder, digest);
      return {};
    },
    revokeTrust: async ({ folder }) => ({ revoked: await trust.revoke(folder) }),
    listTrusted: async () => {
      const folders: TrustedFolder[] = [];
      for (const record of trust.list()) folders.push(await folderView(trust, record));
      return { folders };
    },
  } satisfies Partial<ServiceImpl<typeof ClientService>>;
}

function stateView(trust: Trust) {
  return { state: STATES[trust.state], changes: trust.state === 'changed' ? [...trust.changes] : [] };
}

/** A folder that can't be read must not hide the others. */
async function folderView(trust: TrustStore, record: TrustRecord): Promise<TrustedFolder> {
  const facts = {
    folder: record.folder,
    trustedAt: new Date(record.trustedAt).toISOString(),
    files: record.files.length,
  };
  try {
    return create(TrustedFolderSchema, { ...facts, ...stateView(await trust.trustOf(record.folder)) });
  } catch (cause) {
    const problem = BulkheadError.from(cause).message;
    return create(TrustedFolderSchema, { ...facts, state: TrustState.CHANGED, problem });
  }
}
