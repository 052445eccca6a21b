import { create } from '@bufbuild/protobuf';
import { existingFolder } from '@bulkhead/home/folder/existing-folder';
import type { ContextService } from '@bulkhead/mind/context/context-service';
import { type ClientService, ContextSectionSchema, LastModelCallSchema } from '@bulkhead/protocol/client';
import type { ServiceImpl } from '@connectrpc/connect';

/** Calls that show a model request to clients. */
export function contextCalls(service: Pick<ContextService, 'read'>) {
  return {
    readContext: async ({ sessionId, workingFolder }, { signal }) => {
      const place = sessionId === '' ? { workingFolder: existingFolder(workingFolder) } : { sessionId };
      const { lastCall, sections, ...facts } = await service.read(place, signal);
      return {
        ...facts,
        sections: sections.map((section) => create(ContextSectionSchema, section)),
        ...(lastCall === undefined ? {} : { lastCall: create(LastModelCallSchema, lastCall) }),
      };
    },
  } satisfies Partial<ServiceImpl<typeof ClientService>>;
}
