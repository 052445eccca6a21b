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

/** The parts one action goes through, in the order of `run`. */
export interface PipelineParts {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly ids: IdSource;
  readonly tools: { get(name: string): ToolDescription | undefined; names(): readonly string[] };
  readonly audit: AuditSink;
  readonly labels: LabelStage;
  readonly shield: Pick<Shield, 'judge'>;
  readonly approvals: ApprovalService;
  /** Of what may be carried out, whoever allowed it. */
  readonly tokens: TokenMint;
  readonly snapshots: SnapshotStage;
  hostOf(tool: string): ToolHost;
  /** Before model, clients, logs and audit [A7]. */
  readonly redaction: Redaction;
  placesOf(sessionId: string): ProtectedPlaces;
  /** What its session did before, for a tier that asks; absent, nothing is known. */
  recentOf?(action: Action): readonly RecentAction[];
  /** Awaited before a command is judged: finds out how commands of its folder run. A failure refuses it. */
  readonly chooseView?: (sessionId: string, workingFolder: string) => Promise<unknown>;
  /** Why every shell command of a folder needs a person's yes; undefined where they are held back until they were judged. */
  readonly everyCommandAsks?: (workingFolder: string) => CommandQuestion | undefined;
  /** Hears of each error that becomes a refusal: a disk may be to blame. */
  readonly onError?: (error: unknown) => void;
}
