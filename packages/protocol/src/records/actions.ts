import type { ActionPath, EffectClass } from '../action.ts';
import type { EffectCounts } from '../command-effects.ts';
import type { ActionFate } from '../events.ts';
import type { Need, NeedKind } from '../need.ts';
import type { FileChange } from '../tool.ts';
import type { Decision } from '../verdict.ts';
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
import { callOrigin, origin } from './conversation.ts';

/** Facts about an action that show, after a crash, whether it took effect [T8]. */
export interface ActionIntent {
  readonly action: string;
  readonly call: string;
  readonly hash: string;
  /** Fingerprint of equal actions; absent: its hash. */
  readonly likeness?: string;
  readonly tool: string;
  readonly effect: EffectClass;
  /**
   * True if it runs on an overlay and can reach nothing else: its scratch folder then shows its
   * outcome.
   */
  readonly transaction?: boolean;
  /** Empty if its changes can't be planned. */
  readonly changes: readonly FileChange[];
}

/** Facts that the arguments of a call resolve to when its action starts. */
export interface ActionFactsBody {
  readonly action: string;
  readonly workingFolder: string;
  readonly paths: readonly Pick<ActionPath, 'path' | 'access'>[];
  readonly hosts: readonly string[];
  /** `host:port` of servers that a person had allowed besides; absent: none. */
  readonly granted?: readonly string[] | undefined;
  /** Files with credentials that a person had allowed it to read; absent: none. */
  readonly secretFiles?: readonly string[] | undefined;
}

/** A person let a session continue without the records that its log lost. */
interface LossAccepted {
  readonly logged: number;
  /** The last position that the log had; null for a session that was missing as a whole. */
  readonly has: number | null;
  readonly messages: readonly string[];
  readonly actions: readonly { readonly action: string; readonly likeness: string }[];
  readonly more: number;
  /** The audit entry of the acceptance; absent in records of versions that wrote none. */
  readonly audit?: string;
}

/** `intents: none`: of a version that wrote no intents. Set by the codec, never written. */
type ActionStarted = FieldsOf<'action_started'> & { readonly intents?: 'none' };

export interface ActionBodies {
  readonly action_started: ActionStarted;
  readonly shield_verdict: FieldsOf<'shield_verdict'>;
  readonly approval_requested: FieldsOf<'approval_requested'>;
  readonly approval_decided: FieldsOf<'approval_decided'>;
  readonly action_intent: ActionIntent;
  readonly action_completed: FieldsOf<'action_completed'>;
  readonly action_facts: ActionFactsBody;
  /**
   * Identity of the session's working folder; absent for a fork of a session that does not know it.
   */
  readonly working_folder: { readonly identity?: string | undefined };
  readonly loss_accepted: LossAccepted;
}

type Approval = FieldsOf<'approval_requested'>;
type Decided = FieldsOf<'approval_decided'>;

const scope = oneOf<'once' | 'session' | 'always'>({ once: true, session: true, always: true });

export const ACTIONS: { readonly [Type in keyof ActionBodies]: Shape<ActionBodies[Type]> } = {
  action_started: {
    action: text,
    call: text,
    tool: text,
    hash: text,
    intents: optional(oneOf({ none: true })),
    repeats: optional(text),
  },
  shield_verdict: {
    action: text,
    hash: text,
    decision: oneOf<Decision>({ allow: true, block: true, escalate: true }),
    tier: number,
    rule: text,
    reason: text,
  },
  approval_requested: {
    approval: text,
    action: text,
    hash: text,
    tool: text,
    shown: text,
    reason: text,
    expires: text,
    scopes: optional(list(scope)),
    rule: optional(text),
    origin: optional(origin),
  } satisfies Shape<Approval>,
  approval_decided: {
    approval: text,
    action: text,
    hash: text,
    decision: oneOf<Decided['decision']>({ allow: true, deny: true }),
    by: oneOf<Decided['by']>({
      person: true,
      run_option: true,
      grant: true,
      timeout: true,
      nobody: true,
      cancel: true,
      limit: true,
      restart: true,
    }),
    scope: optional(scope),
    approver: optional(callOrigin),
  },
  action_intent: {
    action: text,
    call: text,
    hash: text,
    likeness: optional(text),
    tool: text,
    effect: oneOf<EffectClass>({ pure: true, idempotent: true, once: true }),
    transaction: optional(flag),
    changes: list(object<FileChange>({ path: text, before: nullable(text), after: nullable(text) })),
  },
  action_completed: {
    action: text,
    call: text,
    hash: text,
    success: flag,
    summary: text,
    fate: optional(oneOf<ActionFate>({ executed: true, not_executed: true, unknown: true })),
    dryRun: optional(yes),
    effects: optional(
      object<EffectCounts>({ kept: flag, created: number, changed: number, deleted: number }),
    ),
    left: optional(oneOf<'nothing' | 'unknown'>({ nothing: true, unknown: true })),
    needs: optional(
      list(
        object<Need>({
          kind: oneOf<NeedKind>({ hosts: true, toolchain: true, folder: true, 'secret-file': true }),
          target: text,
          identity: optional(text),
          write: optional(yes),
        }),
      ),
    ),
    reached: optional(list(text)),
  },
  action_facts: {
    action: text,
    workingFolder: text,
    paths: list(
      object<Pick<ActionPath, 'path' | 'access'>>({
        path: text,
        access: oneOf<ActionPath['access']>({ read: true, write: true }),
      }),
    ),
    hosts: list(text),
    granted: optional(list(text)),
    secretFiles: optional(list(text)),
  },
  working_folder: { identity: optional(text) },
  loss_accepted: {
    logged: number,
    has: nullable(number),
    messages: list(text),
    actions: list(object({ action: text, likeness: text })),
    more: number,
    audit: optional(text),
  },
};
