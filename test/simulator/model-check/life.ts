import { ApprovalService } from '@bulkhead/actions/approvals/approval-service';
import { ApprovalTokens } from '@bulkhead/actions/approvals/approval-tokens';
import { ActionPipeline } from '@bulkhead/actions/pipeline/action-pipeline';
import type { PipelineParts, TokenTable } from '@bulkhead/actions/testing';
import { HandTimers, heldBackCommands, noLabels, noSnapshots } from '@bulkhead/actions/testing';
import type { AuditInput } from '@bulkhead/audit';
import type {
  Clock,
  FileChange,
  ToolDescription,
  ToolHostCall,
  ToolResult,
  Verdict,
} from '@bulkhead/protocol';
import { createRedaction } from '@bulkhead/shield';
import type { AskedOf } from './execution-oracle.ts';

/** Milliseconds in which a question expires, and a token. */
export const EXPIRY_MS = 300_000;

/**
 * `write` changes a file that can be checked after a crash; `send` has a single effect that can't
 * be checked.
 */
export type ModelTool = 'write' | 'send';

const redaction = createRedaction([]);

/** The engine's surroundings, which answer it when chosen. */
export interface Outside {
  readonly clock: Clock;
  readonly tool: ModelTool;
  readonly database: TokenTable;
  ids(): string;
  changes(): readonly FileChange[];
  judge(life: Life, action: string): Promise<Verdict>;
  append(life: Life, entries: readonly AuditInput[]): Promise<[]>;
  snapshot(life: Life): Promise<void>;
  execute(life: Life, call: ToolHostCall): Promise<ToolResult>;
  /** Breaks a part deliberately. */
  broken?(parts: PipelineParts): Partial<PipelineParts>;
}

/** A wait of the engine, with its possible ends. */
export interface Gate {
  readonly label: string;
  readonly ends: readonly Happening[];
}

/** The possible next events. */
export interface Happening {
  readonly label: string;
  run(): void;
}

/**
 * One life of an engine: its pipeline, approvals and tokens are the real ones. After its end it
 * waits forever.
 */
export class Life {
  readonly number: number;
  readonly service: ApprovalService;
  readonly timers = new HandTimers();
  readonly abort = new AbortController();
  readonly asked = new Map<string, AskedOf>();
  readonly doubtful: Set<string>;
  readonly pipeline: ActionPipeline;
  readonly gates: Gate[] = [];
  isOver = false;

  constructor(number: number, doubtful: ReadonlySet<string>, outside: Outside) {
    this.number = number;
    this.doubtful = new Set(doubtful);
    const { clock, ids, database } = outside;
    const { timers } = this;
    const timeoutMs = EXPIRY_MS;
    this.service = new ApprovalService({
      clock,
      machine: { sinceBoot: () => clock.monotonic() },
      timers,
      ids,
      timeoutMs,
      mayAnswer: () => true,
      remember: () => {},
    });
    const key = Buffer.alloc(32, number);
    const tokens = new ApprovalTokens({ database, key, clock, nonces: () => crypto.randomUUID() });
    const tool = toolNamed(outside.tool);
    const parts: PipelineParts = {
      clock,
      timers,
      ids,
      tools: { get: (name) => (name === tool.name ? tool : undefined), names: () => [tool.name] },
      audit: { append: (entries) => outside.append(this, entries) },
      labels: noLabels,
      shield: { judge: async ({ id }) => await outside.judge(this, id) },
      approvals: this.service,
      tokens,
      snapshots: { ...noSnapshots, take: () => outside.snapshot(this) },
      hostOf: () => ({
        execute: (call) => outside.execute(this, call),
        plan: async () => ({ text: '', isError: false, changes: outside.changes() }),
        inspect: async () => outside.changes().map(({ path, before }) => ({ path, hash: before })),
      }),
      redaction,
      placesOf: () => ({ home: '/home', readableOutputs: '/home/outputs' }),
      ...heldBackCommands,
    };
    this.pipeline = new ActionPipeline({ ...parts, ...outside.broken?.(parts) });
  }

  /** Waits until one of `ends` is chosen. */
  wait<Value>(label: string, ends: Readonly<Record<string, () => Value>>): Promise<Value> {
    const { promise, resolve, reject } = Promise.withResolvers<Value>();
    if (this.isOver) return promise;
    const finish = (end: () => Value): void => {
      try {
        resolve(end());
      } catch (error) {
        reject(error);
      }
    };
    this.gates.push({
      label,
      ends: Object.entries(ends).map(([name, end]) => ({ label: name, run: () => finish(end) })),
    });
    return promise;
  }

  /** Its waits, with each possible end. */
  get happenings(): readonly Happening[] {
    return this.gates.flatMap((gate) =>
      gate.ends.map(({ label, run }) => ({
        label: `${gate.label} ${label}`,
        run: () => {
          this.gates.splice(this.gates.indexOf(gate), 1);
          run();
        },
      })),
    );
  }
}

function toolNamed(name: ModelTool): ToolDescription {
  const effect = name === 'write' ? 'idempotent' : 'once';
  const paths = name === 'write' ? [{ path: 'a', access: 'write' as const }] : [];
  return {
    name,
    description: '',
    group: 'files',
    readOnly: false,
    effect,
    inputSchema: {},
    parse: () => ({ arguments: { path: 'a' }, effect, paths }),
  };
}
