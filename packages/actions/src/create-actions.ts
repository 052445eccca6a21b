import type { Context } from '@bulkhead/log/context';
import type { MachineClock, ToolHost } from '@bulkhead/protocol';
import type { Shield } from '@bulkhead/shield';
import type { HostKind, ToolRegistry } from '@bulkhead/tools';
import type { AnsweredRule } from './approvals/answered-rule.ts';
import { ApprovalService } from './approvals/approval-service.ts';
import type { TokenMint } from './approvals/approval-tokens.ts';
import type { Approver } from './approvals/approver.ts';
import { ClientCallService } from './client-tools/client-call-service.ts';
import { recentActions } from './judging/recent-actions.ts';
import { ActionPipeline } from './pipeline/action-pipeline.ts';
import type { PipelineParts } from './pipeline/pipeline-parts.ts';
import type { ProtectedPlaces } from './pipeline/protection.ts';
import type { LabelStage, SnapshotStage } from './pipeline/stages.ts';

export interface ActionsConfig {
  readonly tools: Pick<ToolRegistry, 'get' | 'groups'>;
  readonly labels: LabelStage;
  readonly snapshots: SnapshotStage;
  readonly shield: Pick<Shield, 'judge'>;
  readonly tokens: TokenMint;
  readonly people: {
    readonly machine: Pick<MachineClock, 'sinceBoot'>;
    /** After this long a question is denied, and a call of a client's tool fails. */
    readonly approvalMs: number;
    readonly clientToolMs: number;
    mayAnswer(approver: Approver): boolean;
    /** Keeps a permanent approval. */
    remember(rule: AnsweredRule): void;
  };
  placesOf(sessionId: string): ProtectedPlaces;
  /** How shell commands run; absent, all are held back until they were judged. */
  readonly commands?: Pick<PipelineParts, 'chooseView' | 'everyCommandAsks'>;
}

/** Decides which actions happen, and asks people where it may not decide. */
export interface Actions {
  readonly approvals: ApprovalService;
  /** Calls of tools that the program of a run carries out itself. */
  readonly clientCalls: ClientCallService;
  readonly labels: LabelStage;
  readonly snapshots: SnapshotStage;
  /** The one way to an effect. @param hostOf the host that executes a tool; hosts of rooms above come in here */
  pipeline(hostOf: (tool: string) => ToolHost): ActionPipeline;
}

/** Joins judges and people into one pipeline. Opens nothing. */
export function createActions(context: Context, config: ActionsConfig): Actions {
  const { clock, timers, ids, audit, redaction, log, storage } = context;
  const { tools, labels, snapshots, shield, tokens, people, placesOf, commands } = config;
  const approvals = new ApprovalService({
    clock,
    machine: people.machine,
    timers,
    ids,
    timeoutMs: people.approvalMs,
    mayAnswer: (approver) => people.mayAnswer(approver),
    remember: (rule) => people.remember(rule),
  });
  const clientCalls = new ClientCallService({ clock, timers, timeoutMs: people.clientToolMs });
  return {
    approvals,
    clientCalls,
    labels,
    snapshots,
    pipeline: (hostOf) =>
      new ActionPipeline({
        clock,
        timers,
        ids,
        tools: {
          get: (name) => tools.get(name),
          names: () => tools.groups().flatMap((group) => group.tools),
        },
        audit,
        approvals,
        tokens,
        shield,
        labels,
        snapshots,
        redaction,
        hostOf,
        recentOf: (action) => recentActions(log.store, action),
        placesOf: (sessionId) => placesOf(sessionId),
        ...commands,
        onError: (error) => void storage.report(error),
      }),
  };
}

/**
 * The host that executes a tool: the one that it names, or else the workers. They refuse a tool they don't know, and look
 * at files for any: so a call that a crash left open is looked after also where its tool is no more.
 */
export function hostsByTool(
  tools: Pick<ToolRegistry, 'get'>,
  hosts: Readonly<Record<HostKind, ToolHost>>,
  workers: ToolHost,
): (tool: string) => ToolHost {
  const known = new Map<string, ToolHost>(Object.entries(hosts));
  return (tool) => known.get(tools.get(tool)?.host ?? '') ?? workers;
}
