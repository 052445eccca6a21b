import type { HomeLayout } from '@bulkhead/protocol';
import { systemTimers } from '@bulkhead/protocol';
import { BackgroundCommands } from '@bulkhead/tools';
import type { AccessDesk } from '../access/access-desk.ts';
import { ApprovalDesk } from '../approvals/approval-desk.ts';
import type { FlowDesk } from '../flow/flow-desk.ts';
import type { MemoryClientDesk } from '../memory/client-desk.ts';
import type { ClientServiceParts } from '../service/client-service-parts.ts';
import type { ConsoleDesks } from '../service/console-calls.ts';
import type { SessionTree } from '../session/session-tree.ts';
import type { Sessions } from '../session/sessions.ts';
import type { SettingsDesks } from '../settings/open-settings.ts';
import { openSkills } from '../skills/open-skills.ts';
import { UndoDesk } from '../snapshots/undo-desk.ts';
import { FolderQueue } from '../transactions/folder-queue.ts';
import { TrustStore } from '../trust/trust-store.ts';
import { openTestChronicle } from './open-test-chronicle.ts';
import { runStage } from './run-stage.ts';

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
