import type { JsonValue } from '@bufbuild/protobuf';
import type { EventUsage, StopReasonName } from '../events.ts';
import type { CallOrigin, Origin, Sender } from '../origin.ts';
import {
  anything,
  type FieldsOf,
  flag,
  json,
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

/** An entry with its message; without an entry, a failed attempt, which holds its own text. */
interface MessageEnd {
  readonly role: 'user' | 'assistant';
  /** Id of the accepted message, for the user's own. */
  readonly input?: string;
  /** Where that message came from. */
  readonly origin?: Origin;
  readonly usage?: EventUsage;
  readonly cost?: number | null;
  readonly stopReason?: StopReasonName;
  readonly text?: string;
  readonly thinking?: string;
  /** From an imported file: the message has the user's role, but its author is unknown. */
  readonly foreign?: true;
  /** The result of `messageBody`. Required for an entry. */
  readonly message?: JsonValue;
}

interface ToolOutput {
  readonly call: string;
  readonly tool: string;
  readonly isError: boolean;
  /** Shown to the user instead of the text. */
  readonly display?: string;
  /** As in `message_end`. */
  readonly foreign?: true;
  readonly message: JsonValue;
}

export interface CompactionBody {
  readonly summary: string;
  /** The user's own words among the summarized text: not data, unlike the summary [C6]. */
  readonly asked?: readonly string[];
  /** The first entry shown after it; its own id if none is. */
  readonly keptFrom: string;
  /** Rules in force when it was made, verbatim [K7]. */
  readonly rules?: readonly string[];
  /** Groups of tools loaded until then. */
  readonly groups?: readonly string[];
}

export interface ConversationBodies {
  readonly message_start: FieldsOf<'message_start'>;
  readonly message_end: MessageEnd;
  readonly tool_call: FieldsOf<'tool_call'>;
  readonly tool_output: ToolOutput;
  readonly client_call: FieldsOf<'client_call'>;
  readonly leaf_moved: FieldsOf<'leaf_moved'>;
  /** The position up to which the log of an imported session comes from the file. */
  readonly imported_up_to: { readonly pos: number };
}

/** Entries that are not messages of the conversation [S1]. */
export interface MarkBodies {
  readonly compaction: CompactionBody;
  /** `left`: the previous leaf. */
  readonly branch_summary: { readonly summary: string; readonly left?: string | null };
  readonly model_change: { readonly model: string };
  /** Label of its parent; empty removes it. */
  readonly label: { readonly label: string };
  readonly session_title: { readonly title: string };
  readonly custom: { readonly name: string; readonly data?: JsonValue };
}

const sender = object<Sender>({ id: text, name: optional(text) });

export const callOrigin = object<CallOrigin>({ channel: text, chat: optional(text), sender });

export const origin = object<Origin>({ channel: text, chat: optional(text), sender, profile: text });

export const usage = object<EventUsage>({
  inputTokens: number,
  outputTokens: number,
  cachedInputTokens: number,
  reasoningTokens: number,
  cacheWriteTokens: optional(number),
});

const role = oneOf<'user' | 'assistant'>({ user: true, assistant: true });

export const stopReason = oneOf<StopReasonName>({
  stop: true,
  tool_calls: true,
  length: true,
  content_filter: true,
  error: true,
  other: true,
});

export const CONVERSATION: { readonly [Type in keyof ConversationBodies]: Shape<ConversationBodies[Type]> } =
  {
    message_start: { role },
    message_end: {
      role,
      input: optional(text),
      origin: optional(origin),
      usage: optional(usage),
      cost: optional(nullable(number)),
      stopReason: optional(stopReason),
      text: optional(text),
      thinking: optional(text),
      foreign: optional(yes),
      message: optional(json),
    },
    tool_call: { call: text, tool: text, arguments: anything },
    tool_output: {
      call: text,
      tool: text,
      isError: flag,
      display: optional(text),
      foreign: optional(yes),
      message: json,
    },
    client_call: { action: text, call: text, name: text, arguments: anything, expires: text },
    leaf_moved: { from: text, to: text },
    imported_up_to: { pos: number },
  };

export const MARKS: { readonly [Type in keyof MarkBodies]: Shape<MarkBodies[Type]> } = {
  compaction: {
    summary: text,
    asked: optional(list(text)),
    keptFrom: text,
    rules: optional(list(text)),
    groups: optional(list(text)),
  },
  branch_summary: { summary: text, left: optional(nullable(text)) },
  model_change: { model: text },
  label: { label: text },
  session_title: { title: text },
  custom: { name: text, data: optional(json) },
};
