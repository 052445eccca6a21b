import type { AccessService } from '@bulkhead/actions/access/access-service';
import { ApprovalService } from '@bulkhead/actions/approvals/approval-service';
import type { FlowService } from '@bulkhead/actions/flow/flow-service';
import { UndoService } from '@bulkhead/actions/snapshots/undo-service';
import { openTestChronicle } from '@bulkhead/home/testing';
import type { MemoryClientService } from '@bulkhead/mind/memory/memory-client-service';
import { openSkills } from '@bulkhead/mind/skills/open-skills';
import { TrustStore } from '@bulkhead/mind/trust/trust-store';
import { FolderQueue } from '@bulkhead/processes/transactions/folder-queue';
import type { HomeLayout } from '@bulkhead/protocol';
import { systemTimers } from '@bulkhead/protocol';
import type { SessionTree } from '@bulkhead/runtime/session/session-tree';
import type { Sessions } from '@bulkhead/runtime/session/sessions';
import { runStage } from '@bulkhead/runtime/testing';
import { BackgroundCommands } from '@bulkhead/tools';
import type { ClientServiceParts } from '../service/client-service-parts.ts';
import type { ConsoleServices } from '../service/console-calls.ts';
import type { SettingsServices } from '../settings/open-settings.ts';

const UNCHANGED = { now: 0, changed: false, counted: 0 };

/**
 * Parts for the client service, over the home `given`: one session `s` to watch, without working
 * services.
 */
export function serviceStage(given: HomeLayout): ClientServiceParts {
  const { log, clock, ids } = runStage();
  const facts = {
    supervisorPid: 1,
    startedAt: 0,
    profile: 'default',
    httpAddress: () => '',
    model: () => 'p/m',
    processes: () => [],
    notices: () => [],
    boxes: [],
    sandbox: () => 'on' as const,
    providerKeys: () => [],
  };
  const sessions = { activeRuns: 0 } as Sessions;
  const approvals = new ApprovalService({
    clock,
    machine: { sinceBoot: () => clock.monotonic() },
    timers: systemTimers,
    ids,
    timeoutMs: 1,
    mayAnswer: () => true,
    remember: () => {},
  });
  const trust = new TrustStore({ layout: given, audit: { append: async () => [] }, clock });
  const { chronicle, rollbacks } = openTestChronicle(given.chronicle);
  const undo = new UndoService(
    { audit: { append: async () => [] }, ids },
    {
      entriesOf: async () => [],
      labels: { restoring: () => {}, restored: () => {} },
      chronicle,
      rollbacks,
      queue: new FolderQueue(),
      isOpen: () => false,
      needIdle: () => {},
    },
  );
  const tree = {} as SessionTree;
  const flow = {} as FlowService;
  const memory = {} as MemoryClientService;
  const background = new BackgroundCommands();
  return {
    sessions,
    tree,
    ids,
    clock,
    log,
    approvals,
    clientCalls: { submit: () => false },
    onError: () => {},
    losses: { accept: async () => '' },
    refuseChange: () => {},
    trust,
    background,
    toolchains: async () => [],
    readableAround: () => undefined,
    privateHomes: {
      folders: { look: async () => [], reset: async () => [] },
      labels: { labelOf: () => undefined, removed: () => {} },
    },
    chronicle,
    undo,
    auditLog: { rotateKey: async () => ({ from: 'a', to: 'b' }), sign: async () => undefined },
    auditFolder: given.audit,
    flow,
    memory,
    context: { read: () => Promise.reject(new Error('not here')) },
    skills: openSkills({
      environment: {},
      layout: given,
      trust,
      audit: { append: async () => [] },
      clock,
      tell: () => {},
    }).services,
    access: {} as AccessService,
    console: {} as ConsoleServices,
    audit: { append: async () => [] },
    time: { confirmable: UNCHANGED, confirmClock: () => UNCHANGED },
    settings: {} as SettingsServices,
    redact: (text) => text,
    facts,
    handOverKeys: () => {},
    stop: async () => 0,
  };
}
