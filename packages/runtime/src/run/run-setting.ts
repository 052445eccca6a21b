import type { ClientCallService } from '@bulkhead/actions/client-tools/client-call-service';
import type { ActionPipeline } from '@bulkhead/actions/pipeline/action-pipeline';
import type { LabelStage } from '@bulkhead/actions/pipeline/stages';
import type { Context } from '@bulkhead/log/context';
import type { Ledger } from '@bulkhead/log/ledger/ledger';
import type { AcceptedInput } from '@bulkhead/log/session/accepted-input';
import type { RunView } from '@bulkhead/log/session/run-view';
import type { LoadedTools } from '@bulkhead/log/session/tool-loading';
import type { RunSkills } from '@bulkhead/mind/skills/run-skills';
import type { TokenCounter } from '@bulkhead/models';
import type { AgentPool } from '@bulkhead/processes/pools/agent-pool';
import type { ActionFate, DurableEventBody, ModelClient, ToolDescription } from '@bulkhead/protocol';
import type { PromptContext, TurnContext } from '@bulkhead/protocol/agent';
import type { Message } from '@bulkhead/protocol/chat';
import type { ToolRegistry } from '@bulkhead/tools';
import type { Compactor } from './compactor.ts';
import type { Cooldowns } from './model-chain.ts';
import type { RetrySettings } from './retry-policy.ts';

/** The fates of commands, from their scratch folders. */
export interface TransactionFates {
  /** Undefined if there is no entry of it: it was never made, or somebody took it away. */
  fateOf(actionId: string): ActionFate | undefined;
  /** The action's end is in the log: its scratch folder may go. */
  recorded(actionId: string): void;
}

/** Processes that serve runs. */
export interface RunProcesses {
  readonly agents: Pick<AgentPool, 'lease' | 'release' | 'noteDeath'>;
  /** Fates of commands; absent, no transaction's fate is known. */
  readonly transactions?: TransactionFates;
}

/** The way to an effect. */
export interface RunActions {
  readonly pipeline: Pick<ActionPipeline, 'run'>;
  readonly tools: ToolRegistry;
  /** Hears of each output that is in the log. */
  readonly labels: Pick<LabelStage, 'told'>;
  readonly clientCalls: Pick<ClientCallService, 'answer'>;
}

/** The services of the rooms below that every run uses. */
export interface RunServices {
  readonly context: Context;
  readonly processes: RunProcesses;
  readonly actions: RunActions;
  readonly models: { readonly ledger: Ledger; readonly cooldowns: Cooldowns };
  /** Counts conversations that no provider has counted; without it their size is estimated [K6]. */
  readonly mind: { readonly counter?: TokenCounter };
  readonly settings: { readonly retry: RetrySettings };
  readonly upkeep: { readonly compactor: Compactor };
  readonly engine: { readonly random: () => number };
}

/** The facts of one run. */
export interface RunSetting {
  readonly sessionId: string;
  readonly runId: string;
  readonly workingFolder: string;
  /** The message that started it. */
  readonly input: AcceptedInput;
  readonly offTheRecord: boolean;
  /** The conversation before this run, in order. */
  readonly history: readonly Message[];
  /** As `history`, with what is known of its size and of a run that is taken up again. */
  readonly view?: RunView;
  readonly model: ModelClient;
  readonly fallbacks: readonly ModelClient[];
  readonly loaded: LoadedTools;
  /** Aborts with a `Suspension` when the engine stops: nothing new is begun from then on. */
  readonly stopping: AbortSignal;
  /** Tools of the program that started the run, by the names the model has for them. */
  readonly clientTools?: ReadonlyMap<string, ToolDescription>;
  readonly maxRounds: number;
  /** Most tokens of one answer of this model, as configured; undefined: the model's own maximum. */
  outputLimit(model: ModelClient): number | undefined;
  readonly prompt: PromptContext;
  /** Shown behind every request of this run. */
  readonly turn: TurnContext;
  /** Undefined where there are none. */
  readonly skills?: Pick<RunSkills, 'load' | 'missingFrom'> | undefined;
  /** A client for the same model with the key as it is now; undefined if that hasn't changed. */
  renewModel(model: ModelClient): ModelClient | undefined;
  /** Fingerprints of this session's actions whose outcome is unknown. */
  readonly doubtful: Set<string>;
  /** Takes the messages that wait to join this run; what is taken must be merged at once. */
  takeSteers(): {
    readonly inputs: readonly AcceptedInput[];
    readonly news: readonly DurableEventBody[];
  };
}
