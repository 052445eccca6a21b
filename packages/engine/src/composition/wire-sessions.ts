import { arch, type as systemName } from 'node:os';
import { type Clock, createIdSource, type HomeLayout } from '@bulkhead/protocol';
import type { SessionStore } from '@bulkhead/sessions';
import { createShield, notPresent } from '@bulkhead/shield';
import { coreGroups, type ToolRegistry } from '@bulkhead/tools';
import { ApprovalDesk } from '../approvals/approval-desk.ts';
import { ModelSource } from '../models/model-source.ts';
import { ActionPipeline } from '../pipeline/action-pipeline.ts';
import type { AuditSink } from '../pipeline/action-trail.ts';
import { labelsNotPresent, redactionNotPresent, snapshotsNotPresent } from '../pipeline/stages.ts';
import { SessionLog } from '../session/session-log.ts';
import { Sessions } from '../session/sessions.ts';
import type { WorkingFolders } from '../session/working-folders.ts';
import type { Pools } from './open-pools.ts';
import type { Settings } from './read-settings.ts';

/** The part of the engine that clients talk to, and what is absent from it. */
export interface WiredSessions {
  readonly sessions: Sessions;
  readonly log: SessionLog;
  readonly approvals: ApprovalDesk;
  readonly models: ModelSource;
  /** Names of stages and tiers that later work brings. */
  readonly absent: readonly string[];
}

/** Tool groups a session has from its start. */
export function initialGroupsOf(initial: 'core' | 'none'): readonly string[] {
  return initial === 'core' ? coreGroups.map(({ name }) => name) : [];
}

/** Joins store, audit, policy, pipeline, models and pools into sessions. Starts nothing. */
export function wireSessions(parts: {
  readonly layout: HomeLayout;
  readonly settings: Settings;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly store: SessionStore;
  readonly audit: AuditSink;
  readonly tools: ToolRegistry;
  readonly folders: WorkingFolders;
  readonly pools: Pools;
  outputsOf(sessionId: string): string;
}): WiredSessions {
  const { layout, settings, clock, store, tools, pools, outputsOf } = parts;
  const { config, policy, secret } = settings;
  const { agents, workers, shell } = pools;
  const ids = createIdSource(() => clock.now());
  const log = new SessionLog({ store, clock, ids });
  const approvals = new ApprovalDesk({ clock, ids, timeoutMs: config.timeouts.approvalSeconds * 1_000 });
  const stages = { labels: labelsNotPresent, snapshots: snapshotsNotPresent, redaction: redactionNotPresent };
  const shield = createShield({
    policy: () => policy,
    analysis: notPresent('command analysis'),
    evaluator: notPresent('model evaluator'),
  });
  const pipeline = new ActionPipeline({
    clock,
    ids,
    tools: { get: (name) => tools.get(name), names: () => tools.groups().flatMap((group) => group.tools) },
    audit: parts.audit,
    approvals,
    shield,
    ...stages,
    hostOf: (tool) => (tool === 'bash' ? shell : workers),
    placesOf: (sessionId) => ({ home: layout.root, readableOutputs: outputsOf(sessionId) }),
  });
  const models = new ModelSource({
    configured: config.models.chat,
    keys: { environment: parts.environment, secret },
    limits: {
      firstTokenMs: config.timeouts.firstTokenSeconds * 1_000,
      idleMs: config.timeouts.idleSeconds * 1_000,
    },
  });
  const sessions = new Sessions(
    {
      log,
      agents,
      pipeline,
      tools,
      clock,
      ids,
      folders: parts.folders,
      model: (choice) => models.client(choice),
      limits: config.limits,
      initialGroups: initialGroupsOf(config.tools.initial),
      platform: `${systemName()} ${arch()}`,
      prewarm: (sessionId, workingFolder) => workers.prewarm(sessionId, workingFolder),
    },
    layout,
  );
  const absent = [...Object.values(stages), ...shield.tiers].filter(({ present }) => !present);
  return { sessions, log, approvals, models, absent: absent.map(({ name }) => name) };
}
