import type { AccessService } from '@bulkhead/actions/access/access-service';
import type { ApprovalService } from '@bulkhead/actions/approvals/approval-service';
import type { ClientCallService } from '@bulkhead/actions/client-tools/client-call-service';
import type { FlowService } from '@bulkhead/actions/flow/flow-service';
import type { UndoService } from '@bulkhead/actions/snapshots/undo-service';
import type { AuditLog, AuditSink } from '@bulkhead/audit';
import type { Chronicle } from '@bulkhead/chronicle';
import type { ConfirmedTime } from '@bulkhead/home/time/confirmed-time';
import type { LossService } from '@bulkhead/log/agreement/loss-service';
import type { SessionLog } from '@bulkhead/log/session/session-log';
import type { ContextService } from '@bulkhead/mind/context/context-service';
import type { MemoryClientService } from '@bulkhead/mind/memory/memory-client-service';
import type { SkillServices } from '@bulkhead/mind/skills/skill-calls';
import type { TrustStore } from '@bulkhead/mind/trust/trust-store';
import type { BoxDescription } from '@bulkhead/processes/boxes/describe-boxes';
import type { Commands } from '@bulkhead/processes/commands';
import type { Clock, IdSource } from '@bulkhead/protocol';
import type { SessionTree } from '@bulkhead/runtime/session/session-tree';
import type { Sessions } from '@bulkhead/runtime/session/sessions';
import type { BackgroundCommands } from '@bulkhead/tools';
import type { SettingsServices } from '../settings/open-settings.ts';
import type { ConsoleServices } from './console-calls.ts';
import type { PrivateHomeParts } from './private-home-calls.ts';

/** Facts in `status` beside versions and sessions. */
interface EngineFacts {
  readonly supervisorPid: number;
  readonly startedAt: number;
  /** Name of the profile in use. */
  readonly profile: string;
  httpAddress(): string;
  model(): string;
  processes(): readonly { readonly kind: string; readonly pid: number; readonly sessionId: string }[];
  notices(): readonly string[];
  /** Results of the box tests when the engine started. */
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
  readonly approvals: ApprovalService;
  readonly clientCalls: Pick<ClientCallService, 'submit'>;
  readonly trust: TrustStore;
  readonly background: Pick<BackgroundCommands, 'end' | 'list' | 'look'>;
  readonly privateHomes: PrivateHomeParts;
  readonly toolchains: Commands['toolchains'];
  readonly readableAround: Commands['readableAround'];
  readonly chronicle: Chronicle;
  readonly undo: UndoService;
  readonly auditLog: Pick<AuditLog, 'rotateKey' | 'sign'>;
  readonly audit: AuditSink;
  /** Folder of its files. */
  readonly auditFolder: string;
  readonly losses: Pick<LossService, 'accept'>;
  readonly flow: FlowService;
  readonly memory: MemoryClientService;
  readonly context: Pick<ContextService, 'read'>;
  readonly skills: SkillServices;
  readonly access: AccessService;
  readonly console: ConsoleServices;
  readonly time: Pick<ConfirmedTime, 'confirmable' | 'confirmClock'>;
  readonly settings: SettingsServices;
  /** Redacts secrets in a text. */
  redact(text: string): string;
  /** Throws if no change can be stored: the engine works on copies of its home. */
  refuseChange(): void;
  /** Receives each error of a call. */
  onError(error: unknown): void;
  readonly facts: EngineFacts;
  /**
   * Keys for the next engine after a restart, beside those of this one's environment.
   * @throws BulkheadError `usage` for a name that is not a provider's key, or an invalid value
   */
  handOverKeys(keys: Readonly<Record<string, string>>): void;
  /**
   * Ends the engine; the answer to the client is sent first.
   *
   * @returns how many messages the next engine continues, once no work is under way
   * @throws BulkheadError if it could not restart
   */
  stop(restart: boolean): Promise<number>;
}
