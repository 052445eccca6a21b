import { create } from '@bufbuild/protobuf';
import { type ClientService, ContextSectionSchema, LastModelCallSchema } from '@bulkhead/protocol/client';
import type { ServiceImpl } from '@connectrpc/connect';
import type { ContextDesk } from '../mind/context-desk.ts';
import { existingFolder } from '../session/existing-folder.ts';

/** What clients can see of a model request. */
export function contextCalls(
  desk: Pick<ContextDesk, 'read'>,
): Pick<ServiceImpl<typeof ClientService>, 'readContext'> {
  return {
    readContext: async ({ sessionId, workingFolder }, { signal }) => {
      const place = sessionId === '' ? { workingFolder: existingFolder(workingFolder) } : { sessionId };
      const { lastCall, sections, ...facts } = await desk.read(place, signal);
      return {
        ...facts,
        sections: sections.map((section) => create(ContextSectionSchema, section)),
        ...(lastCall === undefined ? {} : { lastCall: create(LastModelCallSchema, lastCall) }),
      };
    },
  };
}
