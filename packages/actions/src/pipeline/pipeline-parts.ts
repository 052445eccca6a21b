import type { AuditSink } from '@bulkhead/audit';
import type { CommandQuestion } from '@bulkhead/processes/boxes/command-box';
import type {
  Action,
  Clock,
  IdSource,
  Redaction,
  Timers,
  ToolDescription,
  ToolHost,
} from '@bulkhead/protocol';
import type { RecentAction, Shield } from '@bulkhead/shield';
import type { ApprovalService } from '../approvals/approval-service.ts';
import type { TokenMint } from '../approvals/approval-tokens.ts';
import type { ProtectedPlaces } from './protection.ts';
import type { LabelStage, SnapshotStage } from './stages.ts';

/** The stages of an action, in the order of `run`. */
export interface PipelineParts {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly ids: IdSource;
  readonly tools: { get(name: string): ToolDescription | undefined; names(): readonly string[] };
  readonly audit: AuditSink;
  readonly labels: LabelStage;
  readonly shield: Pick<Shield, 'judge'>;
  readonly approvals: ApprovalService;
  /** Tokens for allowed actions, regardless of the approver. */
  readonly tokens: TokenMint;
  readonly snapshots: SnapshotStage;
  hostOf(tool: string): ToolHost;
  /** Runs before model, clients, logs and audit see a text [A7]. */
  readonly redaction: Redaction;
  placesOf(sessionId: string): ProtectedPlaces;
  /** Earlier actions of the session, for a tier that needs them; if absent, none are known. */
  recentOf?(action: Action): readonly RecentAction[];
  /**
   * Awaited before a command is judged: determines how commands run in its folder. A failure
   * refuses it.
   */
  readonly chooseView: (sessionId: string, workingFolder: string) => Promise<unknown>;
  /**
   * Why every shell command of a folder needs a person's approval; undefined if commands are held
   * back until they are judged.
   */
  readonly everyCommandAsks: (workingFolder: string, background: boolean) => CommandQuestion | undefined;
  /** Receives each error that becomes a refusal: the cause may be a disk. */
  readonly onError?: (error: unknown) => void;
}
