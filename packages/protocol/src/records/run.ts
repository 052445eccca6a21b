import type { JsonValue } from '@bufbuild/protobuf';
import type { ApprovalMode } from '../approval-fate.ts';
import type { EventThought, Outcome, StateName } from '../events.ts';
import type { Origin } from '../origin.ts';
import {
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
} from './check.ts';
import { origin, stopReason, usage } from './conversation.ts';

/** How a message is delivered during a run; without a run, each starts one [L8]. */
export type Delivery = 'follow_up' | 'steer' | 'interrupt' | 'invoke';

/** A tool of the program that sent a message. */
export interface ClientTool {
  /** The program's name for it. */
  readonly name: string;
  readonly description: string;
  /** JSON text; empty for any arguments. */
  readonly inputSchemaJson: string;
}

/**
 * An accepted message. The reading code documents the default of a field that earlier versions did
 * not write.
 */
export interface InputBody {
  readonly content: string;
  readonly images?: readonly JsonValue[];
  readonly attachments?: readonly JsonValue[];
  readonly delivery?: Delivery;
  /** Absent where it is unknown: earlier versions did not write it. */
  readonly origin?: Origin;
  readonly options: {
    readonly approve?: ApprovalMode;
    readonly model?: string;
    readonly baseUrl?: string;
    readonly maxRounds?: number;
    readonly dryRun?: boolean;
    readonly clientTools?: readonly ClientTool[];
    readonly shownIn?: string;
  };
}

export interface RunBodies {
  readonly input_accepted: InputBody;
  readonly queue_update: FieldsOf<'queue_update'>;
  readonly agent_start: FieldsOf<'agent_start'>;
  readonly turn_start: FieldsOf<'turn_start'>;
  readonly turn_end: FieldsOf<'turn_end'>;
  readonly retry_start: FieldsOf<'retry_start'>;
  readonly retry_end: FieldsOf<'retry_end'>;
  readonly response_complete: FieldsOf<'response_complete'>;
  readonly save_point: FieldsOf<'save_point'>;
  readonly agent_end: FieldsOf<'agent_end'>;
  readonly state_change: FieldsOf<'state_change'>;
  readonly settled: FieldsOf<'settled'>;
  readonly idle: FieldsOf<'idle'>;
  readonly error: FieldsOf<'error'>;
  readonly run_resumed: FieldsOf<'run_resumed'>;
  /**
   * A failed attempt left the branch: the run continues from `to`, null for before its first entry.
   */
  readonly rewound: { readonly to: string | null };
  readonly cancel_requested: object;
  readonly suspended: object;
  /** `after` is absent in records of versions without an orderly stop: their engines had died. */
  readonly resuming: { readonly after?: 'death' | 'stop' };
}

const state = oneOf<StateName>({
  idle: true,
  thinking: true,
  executing: true,
  compacting: true,
  aborting: true,
  error: true,
});

const outcome = oneOf<Outcome>({
  completed: true,
  failed: true,
  aborted: true,
  blocked: true,
  limit: true,
  merged: true,
});

const clientTool = object<ClientTool>({ name: text, description: text, inputSchemaJson: text });

export const INPUT_OPTIONS: Shape<InputBody['options']> = {
  approve: optional(oneOf<ApprovalMode>({ deny: true, ask: true, allow: true })),
  model: optional(text),
  baseUrl: optional(text),
  maxRounds: optional(number),
  dryRun: optional(flag),
  clientTools: optional(list(clientTool)),
  shownIn: optional(text),
};

export const RUN: { readonly [Type in keyof RunBodies]: Shape<RunBodies[Type]> } = {
  input_accepted: {
    content: text,
    images: optional(list(json)),
    attachments: optional(list(json)),
    delivery: optional(oneOf<Delivery>({ follow_up: true, steer: true, interrupt: true, invoke: true })),
    origin: optional(origin),
    options: object(INPUT_OPTIONS),
  },
  queue_update: { steer: list(text), followUp: list(text) },
  agent_start: { message: text, sandbox: optional(oneOf({ off: true })) },
  turn_start: { round: number, model: text },
  turn_end: { round: number, usage, stopReason },
  retry_start: {
    attempt: number,
    maxAttempts: number,
    delayMs: number,
    code: text,
    message: text,
    model: text,
  },
  retry_end: { attempt: number, success: flag },
  response_complete: {
    text,
    thoughts: list(
      object<EventThought>({
        kind: oneOf<EventThought['kind']>({ reasoning: true, tool_call: true }),
        summary: text,
        detail: optional(object({ tool_name: text, success: flag })),
      }),
    ),
    usage,
    cost: nullable(number),
  },
  save_point: {},
  agent_end: { message: text },
  state_change: { from: state, to: state },
  settled: {
    message: text,
    outcome,
    answer: text,
    usage,
    cost: nullable(number),
    rounds: number,
    error: optional(object({ code: text, message: text })),
  },
  idle: {},
  error: { code: text, message: text, retryable: flag },
  run_resumed: { message: text, executed: number, notExecuted: number, unknown: number },
  rewound: { to: nullable(text) },
  cancel_requested: {},
  suspended: {},
  resuming: { after: optional(oneOf<'death' | 'stop'>({ death: true, stop: true })) },
};
