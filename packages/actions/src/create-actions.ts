import type { Context } from '@bulkhead/log/context';
import { BulkheadError, type MachineClock, type ToolHost } from '@bulkhead/protocol';
import type { Shield } from '@bulkhead/shield';
import type { HostKind, ToolRegistry } from '@bulkhead/tools';
import type { AnsweredRule } from './approvals/answered-rule.ts';
import { ApprovalService } from './approvals/approval-service.ts';
import type { TokenMint } from './approvals/approval-tokens.ts';
import type { Approver } from './approvals/approver.ts';
import { ClientCallService } from './client-tools/client-call-service.ts';
import type { GrantStage } from './grants/grant-service.ts';
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
    /** After this time a question is denied, and a call of a client tool fails. */
    readonly approvalMs: number;
    readonly clientToolMs: number;
    /** Absent: no command is granted anything. */
    readonly grants?: GrantStage;
    mayAnswer(approver: Approver): boolean;
    /** Stores a permanent approval. */
    remember(rule: AnsweredRule): void;
  };
  placesOf(sessionId: string): ProtectedPlaces;
  /** How shell commands run. */
  readonly commands: Pick<PipelineParts, 'chooseView' | 'everyCommandAsks'>;
}

/** Decides which actions run, and asks people where it may not decide. */
export interface Actions {
  readonly approvals: ApprovalService;
  /** Calls of tools that the client program of a run executes. */
  readonly clientCalls: ClientCallService;
  readonly labels: LabelStage;
  readonly snapshots: SnapshotStage;
  /**
   * Creates the pipeline, the only path to an effect. @param hostOf the host that executes a tool;
   * upper layers pass their hosts here
   */
  pipeline(hostOf: (tool: string) => ToolHost): ActionPipeline;
}

/** Connects checks and approvals in one pipeline. Opens nothing. */
export function createActions(context: Context, config: ActionsConfig): Actions {
  const { clock, timers, ids, audit, redaction, log, storage } = context;
  const { tools, labels, snapshots, shield, tokens, people, placesOf, commands } = config;
  const approvals = new ApprovalService({
    clock,
    machine: people.machine,
    timers,
    ids,
    timeoutMs: people.approvalMs,
    grants: people.grants,
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
 * The host that executes a tool: the host that names the tool, or else the workers. Workers refuse
 * unknown tools but can inspect the files of any call, so recovery can check a call whose tool no
 * longer exists.
 */
export function hostsByTool(
  tools: Pick<ToolRegistry, 'get'>,
  hosts: Readonly<Record<HostKind, ToolHost>>,
  workers: ToolHost,
): (tool: string) => ToolHost {
  const known = new Map<string, ToolHost>(Object.entries(hosts));
  return (tool) => {
    const host = tools.get(tool)?.host;
    if (host === undefined) return workers;
    const found = known.get(host);
    if (found === undefined)
      throw new BulkheadError('internal', `tool ${tool} names the unknown host ${host}`);
    return found;
  };
}
