import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { foundRecord, shownRecord } from '@bulkhead/actions/flow/memory-notes';
import type { LabelStage, SnapshotStage } from '@bulkhead/actions/pipeline/stages';
import { watchFolder } from '@bulkhead/home/folder/watch-folder';
import type { ProgramSessions } from '@bulkhead/log/callers/caller-tables';
import type { Context } from '@bulkhead/log/context';
import { noteRecord } from '@bulkhead/log/session/record-codec';
import { ProfileFiles } from '@bulkhead/memory';
import type { FolderQueue } from '@bulkhead/processes/transactions/folder-queue';
import { describeError, type ToolHost } from '@bulkhead/protocol';
import type { NewLogRecord } from '@bulkhead/protocol/records';
import type { Tables } from '@bulkhead/sessions';
import type { Label } from '@bulkhead/shield';
import { createLineRecords, type LineRecords } from './line-records.ts';
import { MemoryClientService } from './memory-client-service.ts';
import { createMemoryHost } from './memory-host.ts';
import type { MemoryIndex } from './memory-index.ts';
import { MemoryLabels } from './memory-labels.ts';
import type { MemoryPlaces } from './memory-places.ts';
import { MemoryReview } from './memory-review.ts';
import { MemoryService } from './memory-service.ts';
import { MemoryView } from './memory-view.ts';
import { MemoryWriter } from './memory-writer.ts';
import { PersonNotes } from './person-notes.ts';
import { ProposalStore } from './proposal-store.ts';
import { sessionTexts } from './session-texts.ts';
import { ShownOnce } from './shown-once.ts';

/** Being late does no harm: every search looks at the files first. */
const WATCHING = { recursive: true, quietMs: 300, pollMs: 30_000 };

/**
 * Milliseconds after the start until past sessions are read for the index: nothing but a search looks for them, which reads them
 * itself if it comes before.
 */
const SESSIONS_AFTER_MS = 60_000;

/** A session whose label is unknown counts as if anyone could have written it. */
const UNKNOWN: Label = { secrecy: 'internal', trust: 'external' };

export interface MemoryParts {
  /** The rooms below: a write waits for its folder, is snapshotted, and labelled like the session it comes from. */
  readonly actions: {
    readonly snapshots: SnapshotStage;
    readonly labels: LabelStage;
    readonly queue: FolderQueue;
  };
  readonly places: MemoryPlaces;
  readonly settings: { readonly enabled: boolean; readonly sessions: boolean; readonly byMeaning: boolean };
  readonly tables: Tables;
  readonly programs: ProgramSessions;
  /** Called once there is something to find, as often as it fails. */
  openIndex(): Promise<MemoryIndex>;
  /** Hears why nothing could be written. */
  readonly onError?: (error: unknown) => void;
  /** Hears each problem once. */
  warn(problem: string): void;
}

/** Memory, joined: nothing is opened before it is used. */
export interface Memory extends AsyncDisposable {
  readonly files: ProfileFiles;
  readonly service: MemoryService;
  readonly host: ToolHost;
  readonly writer: MemoryWriter;
  /** Of lines in memory, and of those that were moved out of it. */
  readonly labels: Pick<MemoryLabels, 'ofFile' | 'ofText'>;
  readonly records: LineRecords;
  readonly proposals: ProposalStore;
  readonly clientService: MemoryClientService;
  /** Actions of the engine's own, while they are under way: their lines are known as such. */
  readonly auto: Set<string>;
  /** Opens the index ahead of the first turn, if there are files, and watches them. */
  begin(): void;
  /** A session is no more: nothing of it is found any longer [D4]. */
  forgetSession(): void;
}

export function openMemory(
  { clock, timers, ids, redaction, audit, log }: Context,
  parts: MemoryParts,
): Memory {
  const { places, warn } = parts;
  const { snapshots, labels, queue } = parts.actions;
  const { store } = log;
  mkdirSync(places.profile, { recursive: true, mode: 0o700 });
  const files = new ProfileFiles(places.profile, () => randomBytes(8).toString('hex'));
  const records = createLineRecords(parts.tables, places.name);
  const proposals = new ProposalStore(parts.tables, places.name);
  const view = new MemoryView({
    files,
    sessions: () => (parts.settings.sessions ? sessionTexts(store, parts.programs) : []),
    open: parts.openIndex,
    tell: warn,
  });
  const memoryLabels = new MemoryLabels({
    files,
    redaction,
    records,
    labelOfSession: (id) => (store.getSession(id) === undefined ? UNKNOWN : (labels.labelOf(id) ?? UNKNOWN)),
  });
  const note = (sessionId: string, record: NewLogRecord): void => {
    log.append(sessionId, [noteRecord(clock.now(), '', record)], { durable: false });
    labels.told(sessionId);
  };
  const shownOnce = new ShownOnce();
  const service = new MemoryService({
    isEnabled: parts.settings.enabled,
    byMeaning: parts.settings.byMeaning,
    files,
    view,
    labels: memoryLabels,
    timers,
    clock,
    redaction,
    shown: (sessionId, text, label) => {
      if (shownOnce.isNew(sessionId, text, label)) note(sessionId, shownRecord(text, label));
    },
    tell: warn,
  });
  const writer = new MemoryWriter({
    files,
    records,
    queue,
    clock,
    onError: parts.onError,
  });
  const notes = new PersonNotes({ writer, snapshots, audit, ids, clock, folder: places.profile });
  const review = new MemoryReview({ writer, notes, clock, proposals });
  const auto = new Set<string>();
  const host = createMemoryHost({
    files,
    writer,
    search: (query, limit) => service.search(query, limit),
    found: ({ sessionId, actionId }, hits) =>
      note(sessionId, foundRecord(actionId, memoryLabels.ofHits(hits))),
    labelOf: (sessionId) => labels.labelOf(sessionId) ?? UNKNOWN,
    isOwners: (sessionId) => !parts.programs.isOfProgram(sessionId),
    isAuto: (actionId) => auto.has(actionId),
  });
  const stack = new AsyncDisposableStack();
  stack.use(view);
  return {
    files,
    service,
    host,
    writer,
    labels: memoryLabels,
    records,
    proposals,
    clientService: new MemoryClientService({ files, service, notes, review }),
    auto,
    begin() {
      if (!parts.settings.enabled) return;
      const failed = (error: unknown): void =>
        warn(`changes of memory are noticed late: ${describeError(error)}`);
      const watched = { folder: places.profile, ...WATCHING };
      stack.use(watchFolder(watched, timers, () => void service.warm('files'), failed));
      stack.use(timers.after(0, () => void service.warm('files')));
      stack.use(timers.after(SESSIONS_AFTER_MS, () => void service.warm()));
    },
    forgetSession: () => void service.warm(),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
