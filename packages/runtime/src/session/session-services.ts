import type { AuditedFate } from '@bulkhead/log/agreement/open-actions';
import type { Mind } from '@bulkhead/mind/context/mind';
import type { SkillSource } from '@bulkhead/mind/skills/skill-source';
import type { TokenCounter } from '@bulkhead/models';
import type { WorkingFolders } from '@bulkhead/processes/boxes/working-folders';
import type { ModelSource } from '@bulkhead/processes/models/model-source';
import type { BulkheadError, ToolHost } from '@bulkhead/protocol';
import type { RetrySettings } from '../run/retry-policy.ts';
import type { RunActions, RunProcesses, RunServices } from '../run/run-setting.ts';
import type { SessionCompaction } from './session-compaction.ts';
import type { Titles } from './titles.ts';
import type { DrainMode } from './waiting-messages.ts';

/** Processes that serve sessions. */
export interface SessionProcesses extends RunProcesses {
  readonly folders: WorkingFolders;
  /** Starts what the run's first tool call will need, ahead of it. */
  prewarm(sessionId: string, workingFolder: string): void;
}

export interface SessionActions extends RunActions {
  /** The host that finds out what became of a call. */
  hostOf(tool: string): Pick<ToolHost, 'inspect'>;
}

/** Models of conversations. */
export type SessionModels = Pick<ModelSource, 'client' | 'fallbacks' | 'refresh' | 'outputLimit'>;

/** The prompt of an agent, and its parts that sessions ask for. */
export interface SessionMind extends Mind {
  readonly skills?: Pick<SkillSource, 'forRun'>;
  readonly counter?: TokenCounter;
}

/** Settings of sessions and their runs. */
export interface SessionSettings {
  readonly limits: { readonly maxRounds: number; readonly maxOutputTokens?: number | undefined };
  readonly queues: { readonly steer: DrainMode; readonly followUp: DrainMode };
  readonly retry: RetrySettings;
  /** A model that failed is left alone for so long, in milliseconds. */
  readonly cooldownMs: number;
  /** Tool groups loaded from the start. */
  readonly initialGroups: readonly string[];
  /** `off`: agents, workers and commands run in no box. */
  readonly boxes: 'on' | 'off';
}

/** Duties of the engine towards sessions. */
export interface SessionEngine {
  readonly random: () => number;
  /** The states of open actions in the audit log. */
  audited(): ReadonlyMap<string, AuditedFate>;
  /** Resolves in a later turn of the event loop: answers to clients go out first. */
  breathe(): Promise<void>;
  /** Ends a deleted session's background commands, and removes the full outputs of all its commands. */
  removeLeftovers(sessionId: string): Promise<void>;
  /** Part of the change that makes a session for a caller of the HTTP door. */
  keepCaller(caller: string, sessionId: string): void;
  /** The conversation of a session begins anew: what it had loaded, it has not [SK1]. */
  onReset(sessionId: string): void;
  /**
   * A session can't go on, or has to wait: for the engine's log, and for the code that may start a
   * new engine.
   */
  onFailure(sessionId: string, error: BulkheadError): void;
}

/** All that sessions need of the rooms below. */
export interface SessionServices extends RunServices {
  readonly processes: SessionProcesses;
  readonly actions: SessionActions;
  readonly models: RunServices['models'] & SessionModels;
  readonly mind: SessionMind;
  readonly settings: SessionSettings;
  readonly upkeep: RunServices['upkeep'] & {
    readonly titles: Pick<Titles, 'consider'>;
    readonly compaction: SessionCompaction;
  };
  readonly engine: SessionEngine;
}
