import type { Clock, ModelClient } from '@bulkhead/protocol';
import type { PromptContext } from '@bulkhead/protocol/agent';
import type { Message } from '@bulkhead/protocol/chat';
import type { ToolRegistry } from '@bulkhead/tools';
import type { ApprovalMode } from '../approvals/approval-desk.ts';
import type { ActionPipeline } from '../pipeline/action-pipeline.ts';
import type { AgentPool } from '../pools/agent-pool.ts';
import type { SessionLog } from '../session/session-log.ts';
import type { LoadedTools } from './tool-loading.ts';

/** What every run needs of the engine. */
export interface RunServices {
  readonly log: SessionLog;
  readonly agents: AgentPool;
  readonly pipeline: ActionPipeline;
  readonly tools: ToolRegistry;
  readonly clock: Clock;
}

/** What one run is about. */
export interface RunSetting {
  readonly sessionId: string;
  readonly runId: string;
  readonly workingFolder: string;
  /** The user's message. */
  readonly request: string;
  /** The conversation before this run, in order. */
  readonly history: readonly Message[];
  readonly model: ModelClient;
  readonly loaded: LoadedTools;
  readonly approve: ApprovalMode;
  readonly maxRounds: number;
  readonly maxOutputTokens: number;
  readonly prompt: PromptContext;
}
