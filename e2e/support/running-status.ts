/** Output of `bulkhead status --json` for a running engine. */
export interface RunningStatus {
  readonly running: true;
  readonly home: string;
  readonly supervisor: number;
  readonly engine: number;
  readonly processes: readonly { readonly kind: string; readonly pid: number; readonly session: string }[];
  readonly model: string;
  readonly activeRuns: number;
  readonly notices: readonly string[];
}

/** @throws Error if no engine runs */
export function parseStatus(text: string): RunningStatus {
  const value: unknown = JSON.parse(text);
  if (isRunning(value)) return value;
  throw new Error(`no engine runs: ${text}`);
}

function isRunning(value: unknown): value is RunningStatus {
  if (typeof value !== 'object' || value === null) return false;
  const fields = new Map<string, unknown>(Object.entries(value));
  const numbers = [fields.get('supervisor'), fields.get('engine'), fields.get('activeRuns')];
  return (
    fields.get('running') === true &&
    numbers.every((one) => typeof one === 'number') &&
    Array.isArray(fields.get('processes'))
  );
}

/** Pids of one kind, for one session or for all. */
export function pidsOf(status: RunningStatus, kind: string, session?: string): readonly number[] {
  return status.processes
    .filter((one) => one.kind === kind && (session === undefined || one.session === session))
    .map(({ pid }) => pid);
}
