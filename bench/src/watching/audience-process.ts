import { type ChildProcess, fork } from 'node:child_process';
import { on, once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A message and the session it is sent to. */
export interface Turn {
  readonly sessionId: string;
  readonly messageId: string;
}

/** The reports of the process, in this order. `at` is in `monotonicMs`. */
export type AudienceReport =
  | { readonly type: 'ready' }
  | { readonly type: 'watching' }
  | { readonly type: 'speaking'; readonly at: number }
  | {
      readonly type: 'settled';
      readonly at: number;
      /** Events with text that came. */
      readonly deltas: number;
      readonly outcomes: readonly string[];
    }
  | { readonly type: 'failed'; readonly reason: string };

type ReportOf<Type extends AudienceReport['type']> = Extract<AudienceReport, { type: Type }>;

/** Watchers of many turns, seen from the benchmark. */
export class AudienceProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #reports: AsyncGenerator<AudienceReport>;

  private constructor(child: ChildProcess, signal: AbortSignal) {
    this.#child = child;
    this.#reports = reportsOf(child, signal);
  }

  /** @param home of a running engine @param signal ends every wait */
  static async start(home: string, signal: AbortSignal): Promise<AudienceProcess> {
    const audience = new AudienceProcess(
      fork(fileURLToPath(new URL('./audience.ts', import.meta.url)), [home]),
      signal,
    );
    await audience.next('ready');
    return audience;
  }

  async watch(turns: readonly Turn[]): Promise<void> {
    this.#child.send(turns);
    await this.next('watching');
  }

  /**
   * Waits for what the process says next.
   *
   * @throws Error if it is something else, or the process has ended
   */
  async next<Type extends AudienceReport['type']>(type: Type): Promise<ReportOf<Type>> {
    const { value, done } = await this.#reports.next();
    const report: AudienceReport = done === true ? { type: 'failed', reason: 'it has ended' } : value;
    if (isOf(report, type)) return report;
    throw new Error(`the audience said ${JSON.stringify(report)} and not ${type}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const ended = once(this.#child, 'exit');
    if (this.#child.connected) this.#child.disconnect();
    await ended;
  }
}

async function* reportsOf(child: ChildProcess, signal: AbortSignal): AsyncGenerator<AudienceReport> {
  for await (const [report] of on(child, 'message', { signal, close: ['exit'] })) yield report;
}

function isOf<Type extends AudienceReport['type']>(
  report: AudienceReport,
  type: Type,
): report is ReportOf<Type> {
  return report.type === type;
}
