import { create } from '@bufbuild/protobuf';
import type { UndoReport, UndoService } from '@bulkhead/actions/snapshots/undo-service';
import {
  type Chronicle,
  type Difference,
  differences,
  type SnapshotEntry,
  undone,
  verifyChronicle,
} from '@bulkhead/chronicle';
import {
  type ClientService,
  DiffSnapshotResponseSchema,
  RollBackResponseSchema,
  SnapshotSummarySchema,
} from '@bulkhead/protocol/client';
import { unifiedDiff } from '@bulkhead/tools';
import type { ServiceImpl } from '@connectrpc/connect';

/** Most snapshots in one list. */
const MAX_LISTED = 1_000;

/** Calls on the chronicle, for clients only. */
export function chronicleCalls(parts: { readonly chronicle: Chronicle; readonly undo: UndoService }) {
  const { chronicle, undo } = parts;
  return {
    listSnapshots: ({ limit }) => {
      const entries = chronicle.list();
      const back = undone(entries);
      const next = chronicle.goingNext();
      const most = Math.min(limit || MAX_LISTED, MAX_LISTED);
      return {
        snapshots: entries
          .slice(0, most)
          .map((entry) => summary(entry, back.get(entry.id) ?? '', next.has(entry.id))),
        problems: [...chronicle.damaged().values()],
      };
    },
    async *diffSnapshot({ id, turn }) {
      for (const ids of undo.byFolder(undo.idsOf({ id, turn }))) {
        for await (const difference of differences(chronicle, ids)) {
          yield create(DiffSnapshotResponseSchema, { difference: await differenceView(difference) });
        }
      }
    },
    rollBack: async (request, { signal }) => reportView(await undo.rollBack(request, signal)),
    verifyChronicle: async (_request, { signal }) => {
      const { snapshots, blobs, problems } = await verifyChronicle(chronicle, signal);
      return { snapshots, blobs, problems: [...problems] };
    },
  } satisfies Partial<ServiceImpl<typeof ClientService>>;
}

function summary(
  { run, session, time, folder, state, ...entry }: SnapshotEntry,
  undoneBy: string,
  goesNext: boolean,
) {
  const { id, tool, about, changed, undoes, late } = entry;
  return create(SnapshotSummarySchema, {
    id,
    runId: run,
    sessionId: session,
    tool,
    about,
    changed,
    undoes,
    late,
    time: new Date(time).toISOString(),
    folder: folder.path,
    undoneBy,
    goesNext,
    open: state === 'open',
  });
}

async function differenceView({ path, before, after, isEdited, contentBefore, contentNow }: Difference) {
  const isText = contentBefore !== undefined || contentNow !== undefined;
  const isTooBig =
    (before.kind === 'file' && contentBefore === undefined) ||
    (after?.kind === 'file' && !isEdited && contentNow === undefined);
  const diff = isText
    ? await unifiedDiff(path, isTooBig ? 'too big' : contentBefore, contentNow ?? Buffer.alloc(0))
    : '';
  return { path, before: before.kind, after: after?.kind ?? '', edited: isEdited, diff };
}

function reportView({ id, undoes, folder, restored, conflicts, done, lasting, limits }: UndoReport) {
  return create(RollBackResponseSchema, {
    id: done ? id : '',
    undoes: [...undoes],
    folder,
    restored: restored.map(({ path, from, to }) => ({ path, from: from.kind, to: to.kind })),
    conflicts: conflicts.map((conflict) => ({ ...conflict })),
    done,
    lasting: lasting.map((effect) => ({ ...effect })),
    limits: [...limits],
  });
}
