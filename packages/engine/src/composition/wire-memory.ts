import type { SnapshotStage } from '@bulkhead/actions/pipeline/stages';
import type { AuditSink } from '@bulkhead/audit';
import type { ProgramSessions } from '@bulkhead/log/callers/caller-tables';
import type { Ledger } from '@bulkhead/log/ledger/ledger';
import type { SessionLog } from '@bulkhead/log/session/session-log';
import type { Embedder } from '@bulkhead/memory';
import type { MemoryIndex } from '@bulkhead/mind/memory/memory-index';
import { memoryPlaces } from '@bulkhead/mind/memory/memory-places';
import { openEmbedder } from '@bulkhead/mind/memory/open-embedder';
import { type Memory, openMemory } from '@bulkhead/mind/memory/open-memory';
import type { KeySources } from '@bulkhead/models';
import type { FolderQueue } from '@bulkhead/processes/transactions/folder-queue';
import {
  type Clock,
  describeError,
  type HomeLayout,
  type IdSource,
  type Redaction,
  systemTimers,
} from '@bulkhead/protocol';
import type { SessionStore, Tables } from '@bulkhead/sessions';
import type { Settings } from '../ground/read-settings.ts';
import type { Judges } from './open-judges.ts';

/** Joins memory to what it reads, is judged by and leaves records in. Opens nothing. */
export function wireMemory(parts: {
  readonly layout: HomeLayout;
  readonly config: Settings['config'];
  readonly keys: KeySources;
  readonly ledger: Ledger;
  readonly ids: IdSource;
  readonly clock: Clock;
  readonly log: SessionLog;
  readonly store: SessionStore;
  readonly tables: Tables;
  readonly audit: AuditSink;
  readonly redaction: Redaction;
  readonly snapshots: SnapshotStage;
  readonly judges: Judges;
  readonly queue: FolderQueue;
  readonly programs: ProgramSessions;
  openIndex(embedder: Embedder | undefined): Promise<MemoryIndex>;
  readonly onError: (error: unknown) => void;
  warn(problem: string): void;
}): Memory {
  const { config, clock, ledger, store, redaction, judges, warn } = parts;
  /** Without it words alone answer: a key that is missing must not take memory away. */
  const embedder = (): Embedder | undefined => {
    try {
      const services = { ledger, store, redaction, clock, timers: systemTimers };
      return openEmbedder(config.models.embedding, parts.keys, services);
    } catch (error) {
      warn(`models.embedding can't be used: ${describeError(error)}`);
      return undefined;
    }
  };
  return openMemory({
    places: memoryPlaces(parts.layout, config.profile),
    settings: { ...config.memory, byMeaning: config.models.embedding !== undefined },
    snapshots: parts.snapshots,
    audit: parts.audit,
    ids: parts.ids,
    clock,
    timers: systemTimers,
    redaction,
    store,
    tables: parts.tables,
    log: parts.log,
    labels: judges.flows,
    queue: parts.queue,
    programs: parts.programs,
    openIndex: () => parts.openIndex(embedder()),
    onError: parts.onError,
    warn,
  });
}
