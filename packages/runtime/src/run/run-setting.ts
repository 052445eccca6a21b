import type { ClientCallService } from '@bulkhead/actions/client-tools/client-call-service';
import type { ActionPipeline } from '@bulkhead/actions/pipeline/action-pipeline';
import type { LabelStage } from '@bulkhead/actions/pipeline/stages';
import type { Ledger } from '@bulkhead/log/ledger/ledger';
import type { AcceptedInput } from '@bulkhead/log/session/accepted-input';
import type { RunView } from '@bulkhead/log/session/run-view';
import type { SessionLog } from '@bulkhead/log/session/session-log';
import type { LoadedTools } from '@bulkhead/log/session/tool-loading';
import type { RunSkills } from '@bulkhead/mind/skills/run-skills';
import type { TokenCounter } from '@bulkhead/models';
import type { AgentPool } from '@bulkhead/processes/pools/agent-pool';
import type {
  ActionFate,
  Clock,
  DurableEventBody,
  ModelClient,
  Redaction,
  Timers,
  ToolDescription,
} from '@bulkhead/protocol';
import type { PromptContext, TurnContext } from '@bulkhead/protocol/agent';
import type { Message } from '@bulkhead/protocol/chat';
import type { ToolRegistry } from '@bulkhead/tools';
import type { Compactor } from './compactor.ts';
import type { Cooldowns } from './model-chain.ts';
import type { RetrySettings } from './retry-policy.ts';

/** What the scratch folders of commands tell of them. */
export interface TransactionFates {
  /** Undefined if there is no entry of it: it was never made, or somebody took it away. */
  fateOf(actionId: string): ActionFate | undefined;
  /** The action's end is in the log: its scratch folder may go. */
  recorded(actionId: string): void;
}

/** What every run needs of the engine. */
export interface RunServices {
  readonly log: SessionLog;
  /** Of what a model says, before anybody sees it [A7]. */
  readonly redaction: Redaction;
  readonly agents: Pick<AgentPool, 'lease' | 'release' | 'noteDeath'>;
  readonly pipeline: Pick<ActionPipeline, 'run'>;
  readonly tools: ToolRegistry;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: () => number;
  readonly ledger: Ledger;
  readonly cooldowns: Cooldowns;
  readonly retry: RetrySettings;
  readonly compactor: Compactor;
  /** Absent, no run has tools of its program. */
  readonly clientCalls?: Pick<ClientCallService, 'answer'>;
  /** For conversations that no provider has counted; without it their size is estimated [K6]. */
  readonly counter?: TokenCounter;
  /** Told of each action whose end is in the log. */
  readonly transactions?: Pick<TransactionFates, 'recorded'>;
  /** Told of each output that is in the log. */
  readonly labels?: Pick<LabelStage, 'told'>;
}

/** What one run is about. */
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
  /** Most tokens of one answer of this model. */
  outputLimit(model: ModelClient): number;
  readonly prompt: PromptContext;
  /** Shown behind every request of this run. */
  readonly turn: TurnContext;
  /** Undefined where there are none. */
  readonly skills?: Pick<RunSkills, 'load' | 'missingFrom'> | undefined;
  /** A client for the same model with the key as it is now; undefined if that hasn't changed. */
  renewModel(model: ModelClient): ModelClient | undefined;
  /** Likenesses of actions of this session of which nobody knows whether they took effect. */
  readonly doubtful: Set<string>;
  /** Takes the messages that wait to join this run; what is taken must be merged at once. */
  takeSteers(): {
    readonly inputs: readonly AcceptedInput[];
    readonly news: readonly DurableEventBody[];
  };
}
