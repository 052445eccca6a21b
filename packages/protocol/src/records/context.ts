import {
  type FieldsOf,
  flag,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  type Shape,
  text,
  yes,
} from './check.ts';

/** One call of a model, answered or failed. */
export interface ModelCallBody {
  /** `chat`, `title`, `compaction`, … */
  readonly purpose: string;
  /** `provider/model` */
  readonly model: string;
  readonly ok: boolean;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens: number;
  readonly reasoningTokens: number;
  /** Input tokens written to the provider's cache; absent if it reported none. */
  readonly cacheWriteTokens?: number;
  /** US dollars; null if the price is unknown. */
  readonly cost: number | null;
  /** True if the tokens are the engine's estimate: the provider reported none. */
  readonly estimated: boolean;
  /** Input tokens of system part and tools, by the engine's estimate; absent if not needed. */
  readonly systemTokens?: number;
  /**
   * SHA-256 in hex over the text of the request; absent for calls beside the conversation and of
   * older engines.
   */
  readonly request?: string;
  /** The fixed note that the agent added to it; absent for none. */
  readonly added?: string;
}

/** The labels of a text: names that `readLabel` of the shield knows. */
export interface NotedLabel {
  readonly secrecy: string;
  readonly trust: string;
}

export interface ContextBodies {
  readonly session_before_compact: FieldsOf<'session_before_compact'>;
  readonly session_compact: FieldsOf<'session_compact'>;
  /** The model was shown memory without requesting it: with the text in its shown form. */
  readonly memory_shown: { readonly text: string; readonly label: NotedLabel | null };
  /** An action found something in memory. Before its output. */
  readonly memory_found: { readonly action: string; readonly label: NotedLabel | null };
  /** All loaded skills of a session: the last record is valid. */
  readonly skills_loaded: { readonly names: readonly string[] };
  /** A call is under way, with its highest possible cost. */
  readonly model_call_begun: ModelCallBody;
  readonly model_call: ModelCallBody;
}

const modelCall: Shape<ModelCallBody> = {
  purpose: text,
  model: text,
  ok: flag,
  inputTokens: number,
  outputTokens: number,
  cachedInputTokens: number,
  reasoningTokens: number,
  cacheWriteTokens: optional(number),
  cost: nullable(number),
  estimated: flag,
  systemTokens: optional(number),
  request: optional(text),
  added: optional(text),
};

const label = nullable(object<NotedLabel>({ secrecy: text, trust: text }));

/** A person's decisions about information flow: the fold reads each in its place. */
export interface FlowBodies {
  readonly flow_declassified: object;
  readonly flow_trusted: { readonly value: string };
}

export const FLOW: { readonly [Type in keyof FlowBodies]: Shape<FlowBodies[Type]> } = {
  flow_declassified: {},
  flow_trusted: { value: text },
};

export const CONTEXT: { readonly [Type in keyof ContextBodies]: Shape<ContextBodies[Type]> } = {
  session_before_compact: {
    reason: oneOf<FieldsOf<'session_before_compact'>['reason']>({
      overflow: true,
      threshold: true,
      request: true,
      after_run: true,
    }),
    messages: number,
  },
  session_compact: { entry: text, byRule: optional(yes) },
  memory_shown: { text, label },
  memory_found: { action: text, label },
  skills_loaded: { names: list(text) },
  model_call_begun: modelCall,
  model_call: modelCall,
};
