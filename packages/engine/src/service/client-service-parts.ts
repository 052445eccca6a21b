import type { AuditLog } from '@bulkhead/audit';
import type { Chronicle } from '@bulkhead/chronicle';
import type { Clock, IdSource } from '@bulkhead/protocol';
import type { BackgroundCommands } from '@bulkhead/tools';
import type { AccessDesk } from '../access/access-desk.ts';
import type { LossDesk } from '../agreement/loss-desk.ts';
import type { ApprovalDesk } from '../approvals/approval-desk.ts';
import type { ClientCallDesk } from '../client-tools/client-call-desk.ts';
import type { FlowDesk } from '../flow/flow-desk.ts';
import type { MemoryClientDesk } from '../memory/client-desk.ts';
import type { ContextDesk } from '../mind/context-desk.ts';
import type { AuditSink } from '@bulkhead/audit';
import type { BoxDescription } from '../processes/describe-boxes.ts';
import type { SessionLog } from '../session/session-log.ts';
import type { SessionTree } from '../session/session-tree.ts';
import type { Sessions } from '../session/sessions.ts';
import type { SettingsDesks } from '../settings/open-settings.ts';
import type { SkillDesks } from '../skills/skill-calls.ts';
import type { UndoDesk } from '../snapshots/undo-desk.ts';
import type { ConfirmedTime } from '../time/confirmed-time.ts';
import type { TrustStore } from '../trust/trust-store.ts';
import type { ConsoleDesks } from './console-calls.ts';

/** What `status` tells beside versions and sessions. */
interface EngineFacts {
  readonly supervisorPid: number;
  readonly startedAt: number;
  httpAddress(): string;
  model(): string;
  processes(): readonly { readonly kind: string; readonly pid: number; readonly sessionId: string }[];
  notices(): readonly string[];
  /** What was found to hold of each kind of box when the engine started. */
  readonly boxes: readonly BoxDescription[];
  sandbox(): 'on' | 'off';
  /** Variables that can hold a provider's key. */
  providerKeys(): readonly { readonly name: string; readonly missed: boolean }[];
}

export interface ClientServiceParts {
  readonly sessions: Sessions;
  readonly tree: SessionTree;
  readonly ids: IdSource;
  readonly clock: Clock;
  readonly log: SessionLog;
  readonly approvals: ApprovalDesk;
  readonly clientCalls: Pick<ClientCallDesk, 'submit'>;
  readonly trust: TrustStore;
  readonly background: Pick<BackgroundCommands, 'look' | 'stop'>;
  readonly chronicle: Chronicle;
  readonly undo: UndoDesk;
  readonly auditLog: Pick<AuditLog, 'rotateKey' | 'sign'>;
  readonly audit: AuditSink;
  /** Where its files are. */
  readonly auditFolder: string;
  readonly losses: Pick<LossDesk, 'accept'>;
  readonly flow: FlowDesk;
  readonly memory: MemoryClientDesk;
  readonly context: Pick<ContextDesk, 'read'>;
  readonly skills: SkillDesks;
  readonly access: AccessDesk;
  readonly console: ConsoleDesks;
  readonly time: Pick<ConfirmedTime, 'confirmable' | 'confirmClock'>;
  readonly settings: SettingsDesks;
  /** Takes secrets out of a text. */
  redact(text: string): string;
  /** Throws where nothing can be kept: the engine works on copies of its home. */
  refuseChange(): void;
  /** Hears of each error of a call. */
  onError(error: unknown): void;
  readonly facts: EngineFacts;
  /**
   * Keys for the engine that the next restart starts, beside those of this one's environment.
   * @throws BulkheadError `usage` for a name that no provider's key has, or a value that can't be one
   */
  handOverKeys(keys: Readonly<Record<string, string>>): void;
  /**
   * Ends the engine; the answer to the client goes out first.
   *
   * @returns how many messages the next engine continues, once nothing is under way any more
   * @throws BulkheadError if it could not restart
   */
  stop(restart: boolean): Promise<number>;
}
