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
import type { Clock, IdSource } from '@bulkhead/protocol';
import type { SessionTree } from '@bulkhead/runtime/session/session-tree';
import type { Sessions } from '@bulkhead/runtime/session/sessions';
import type { BackgroundCommands } from '@bulkhead/tools';
import type { SettingsServices } from '../settings/open-settings.ts';
import type { ConsoleServices } from './console-calls.ts';

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
  readonly approvals: ApprovalService;
  readonly clientCalls: Pick<ClientCallService, 'submit'>;
  readonly trust: TrustStore;
  readonly background: Pick<BackgroundCommands, 'look' | 'stop'>;
  readonly chronicle: Chronicle;
  readonly undo: UndoService;
  readonly auditLog: Pick<AuditLog, 'rotateKey' | 'sign'>;
  readonly audit: AuditSink;
  /** Where its files are. */
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
