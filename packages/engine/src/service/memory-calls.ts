import { create } from '@bufbuild/protobuf';
import { MEMORY_TARGETS } from '@bulkhead/memory';
import type { MemoryClientService } from '@bulkhead/mind/memory/memory-client-service';
import type { Proposal } from '@bulkhead/mind/memory/proposal-store';
import type { ShownFile } from '@bulkhead/mind/memory/show-memory';
import { BulkheadError } from '@bulkhead/protocol';
import {
  AddMemoryResponseSchema,
  type ClientService,
  MemoryFileSchema,
  MemoryHitSchema,
  MemoryProposalSchema,
  ShowMemoryResponseSchema,
} from '@bulkhead/protocol/client';
import type { ServiceImpl } from '@connectrpc/connect';

const DEFAULT_LIMIT = 5;
const MAX_LIMIT = 100;

/** Calls that show and change memory, for clients only. */
export function memoryCalls(service: MemoryClientService) {
  const view = (proposal: Proposal) => proposalView(proposal, service.review.diff(proposal));
  return {
    showMemory: ({ path }) => {
      const { files, problems, folder, openProposals } = service.show();
      const { text, isCut, hash } = path === '' ? { text: '', isCut: false, hash: '' } : service.text(path);
      return create(ShowMemoryResponseSchema, {
        files: files.map(fileView),
        text,
        cut: isCut,
        hash,
        folder,
        openProposals,
        problems: [...problems],
      });
    },
    searchMemory: async ({ query, limit }) => {
      const hits = await service.search(query, Math.min(limit || DEFAULT_LIMIT, MAX_LIMIT));
      return {
        hits: hits.map(({ lines: [firstLine, lastLine], ...hit }) =>
          create(MemoryHitSchema, { ...hit, firstLine, lastLine }),
        ),
      };
    },
    addMemory: async ({ text, file, heading, replaces }, { signal }) => {
      const target = MEMORY_TARGETS.find((known) => known === (file || 'memory'));
      if (target === undefined) {
        throw new BulkheadError('usage', `memory has no file ${JSON.stringify(file)} to write to`, {
          fix: `Known: ${MEMORY_TARGETS.join(', ')}.`,
        });
      }
      const { planned, action } = await service.add({ text, target, heading, replaces }, signal);
      const { path, added, known, removed = '' } = planned;
      return create(AddMemoryResponseSchema, {
        path,
        added: [...added],
        known: [...known],
        removed,
        actionId: action,
      });
    },
    rewriteMemory: async ({ path, text, hash }, { signal }) => ({
      actionId: (await service.rewrite(path, text, hash, signal)).action,
    }),
    reindexMemory: async () => ({ texts: await service.reindex() }),
    listMemoryProposals: ({ all }) => ({ proposals: service.review.list(all).map(view) }),
    decideMemoryProposal: async ({ id, decision }, { signal }) => {
      const text = await service.review.decide(id, decision, signal);
      return { text, proposal: view(service.review.get(id)) };
    },
  } satisfies Partial<ServiceImpl<typeof ClientService>>;
}

function fileView({ path, source, bytes, modified, entries, isConflict, hidden }: ShownFile) {
  return create(MemoryFileSchema, {
    path,
    source,
    bytes: BigInt(bytes),
    modifiedAt: new Date(modified).toISOString(),
    entries,
    conflict: isConflict,
    hidden,
  });
}

function proposalView(proposal: Proposal, diff: string) {
  const { id, time, state, target, heading, text, replaces, reason, session, action, label } = proposal;
  return create(MemoryProposalSchema, {
    id,
    time: new Date(time).toISOString(),
    state,
    file: target,
    heading,
    text,
    replaces,
    reason,
    sessionId: session,
    diff,
    actionId: action,
    trust: label.trust,
  });
}
