import type { Mind } from '@bulkhead/mind/context/mind';
import type { SkillSource } from '@bulkhead/mind/skills/skill-source';
import type { WorkingFolders } from '@bulkhead/processes/boxes/working-folders';
import type { ModelSource } from '@bulkhead/processes/models/model-source';
import type { BulkheadError, IdSource } from '@bulkhead/protocol';
import type { RecoveryServices } from '../recovery/close-open.ts';
import type { RunServices } from '../run/run-setting.ts';
import type { SessionCompaction } from './session-compaction.ts';
import type { Titles } from './titles.ts';
import type { DrainMode } from './waiting-messages.ts';

/** What an actor needs of the engine. */
export interface ActorServices extends RunServices {
  readonly ids: IdSource;
  readonly folders: WorkingFolders;
  /** `off`: agents, workers and commands run in no box. */
  readonly boxes: 'on' | 'off';
  readonly models: Pick<ModelSource, 'client' | 'fallbacks' | 'refresh' | 'outputLimit'>;
  readonly limits: { readonly maxRounds: number; readonly maxOutputTokens: number };
  readonly queues: { readonly steer: DrainMode; readonly followUp: DrainMode };
  /** Tool groups loaded from the start. */
  readonly initialGroups: readonly string[];
  readonly mind: Mind;
  readonly recovery: RecoveryServices;
  readonly skills?: Pick<SkillSource, 'forRun'>;
  readonly titles: Pick<Titles, 'consider'>;
  readonly compaction: SessionCompaction;
  /** Part of the change that makes a session for a caller of the HTTP door. */
  keepCaller?(caller: string, sessionId: string): void;
  /** Ends a deleted session's background commands, and takes the full outputs of all its commands from the disk. */
  removeLeftovers(sessionId: string): Promise<void>;
  /** The conversation of a session begins anew: what it had loaded, it has not [SK1]. */
  onReset?(sessionId: string): void;
  /** Resolves in a later turn of the event loop: what is to be answered to clients goes out first. */
  breathe(): Promise<void>;
  /** Starts what the run's first tool call will need, ahead of it. */
  prewarm(sessionId: string, workingFolder: string): void;
  /** A session can't go on, or has to wait: for the engine's log, and for whoever decides to start anew. */
  onFailure(sessionId: string, error: BulkheadError): void;
  /** @throws BulkheadError `store_failed`, retryable, while a disk that new work needs can't be written */
  refuseWork?(): void;
}
