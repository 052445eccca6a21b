import type { AccessDesk } from '@bulkhead/actions/access/access-desk';
import { ApprovalDesk } from '@bulkhead/actions/approvals/approval-desk';
import type { FlowDesk } from '@bulkhead/actions/flow/flow-desk';
import { UndoDesk } from '@bulkhead/actions/snapshots/undo-desk';
import { openTestChronicle } from '@bulkhead/home/testing';
import type { MemoryClientDesk } from '@bulkhead/mind/memory/client-desk';
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
import type { ConsoleDesks } from '../service/console-calls.ts';
import type { SettingsDesks } from '../settings/open-settings.ts';

const UNCHANGED = { now: 0, changed: false, counted: 0 };

/** What the client service needs, over the home `given`: one session `s` to watch, and nothing that works. */
export function serviceStage(given: HomeLayout): ClientServiceParts {
  const { log, clock, ids } = runStage();
  const facts = {
    supervisorPid: 1,
    startedAt: 0,
    httpAddress: () => '',
    model: () => 'p/m',
    processes: () => [],
    notices: () => [],
    boxes: [],
    sandbox: () => 'on' as const,
    providerKeys: () => [],
  };
  const sessions = { activeRuns: 0 } as Sessions;
  const approvals = new ApprovalDesk({
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
  const undo = new UndoDesk({
    entriesOf: async () => [],
    labels: { restoring: () => {}, restored: () => {} },
    chronicle,
    rollbacks,
    queue: new FolderQueue(),
    audit: { append: async () => [] },
    ids,
    isOpen: () => false,
    needIdle: () => {},
  });
  const tree = {} as SessionTree;
  const flow = {} as FlowDesk;
  const memory = {} as MemoryClientDesk;
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
    }).desks,
    access: {} as AccessDesk,
    console: {} as ConsoleDesks,
    audit: { append: async () => [] },
    time: { confirmable: UNCHANGED, confirmClock: () => UNCHANGED },
    settings: {} as SettingsDesks,
    redact: (text) => text,
    facts,
    handOverKeys: () => {},
    stop: async () => 0,
  };
}
