import { create } from '@bufbuild/protobuf';
import type { BoxLabels } from '@bulkhead/actions/flow/box-labels';
import type { AuditInput, AuditSink } from '@bulkhead/audit';
import type { BoxFolders, BoxInfo } from '@bulkhead/processes/kept/box-folders';
import { BulkheadError } from '@bulkhead/protocol';
import { type ClientService, PrivateHomeSchema } from '@bulkhead/protocol/client';
import type { Label } from '@bulkhead/shield';
import type { ServiceImpl } from '@connectrpc/connect';

export interface PrivateHomeParts {
  readonly folders: Pick<BoxFolders, 'look' | 'reset'>;
  readonly labels: Pick<BoxLabels, 'labelOf' | 'removed'>;
}

/** Calls for people: what commands keep outside of their working folder, and its removal. */
export function privateHomeCalls({ folders, labels }: PrivateHomeParts, audit: AuditSink) {
  const viewOf = (info: BoxInfo) => {
    const { workingFolder, path, bytes = 0, isWhole, maxBytes, usedAt, running } = info;
    const { secrecy, trust } = labels.labelOf(workingFolder) ?? { secrecy: '', trust: '' };
    return create(PrivateHomeSchema, {
      ...{ workingFolder, path, running, secrecy, trust },
      ...{ bytes: BigInt(bytes), maxBytes: BigInt(maxBytes), usedAt: BigInt(Math.floor(usedAt)) },
      more: !isWhole,
    });
  };
  return {
    listPrivateHomes: async ({ workingFolder }) => {
      const found = await folders.look(workingFolder === '' ? undefined : workingFolder);
      return { homes: found.toSorted((a, b) => b.usedAt - a.usedAt).map(viewOf) };
    },
    resetPrivateHome: async ({ workingFolder }) => {
      if (!workingFolder.startsWith('/')) {
        throw new BulkheadError('usage', 'a reset needs the absolute path of a working folder');
      }
      await audit.append(fallOf(workingFolder, labels.labelOf(workingFolder)));
      const homes = (await folders.reset(workingFolder)).map(viewOf);
      labels.removed(workingFolder);
      return { homes };
    },
  } satisfies Partial<ServiceImpl<typeof ClientService>>;
}

/** A label falls with the files: that is on record before it takes effect. */
function fallOf(privateHome: string, label: Label | undefined): readonly AuditInput[] {
  if (label === undefined) return [];
  const details = { privateHome, secrecy: label.secrecy, trust: label.trust };
  return [{ step: 'DECLASSIFIED', action: '', hash: '', session: '', tool: '', details }];
}
