import type { Check } from './check.ts';
import type { CheckListener, Finished } from './run-checks.ts';

const TELL_EVERY_MS = 10_000;

/** Destination of the report. */
export interface ReportStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/**
 * Reports progress: a line for each finished check, and the running checks in between.
 *
 * @param stream Standard output.
 * @returns The listener, and `close` that ends the ticking.
 */
export function createReport(stream: ReportStream): CheckListener & { close(): void } {
  const running = new Map<string, number>();
  const terminal = stream.isTTY === true;
  const clear = () => (terminal ? stream.write('\r\u001b[K') : undefined);
  const tell = () => {
    if (running.size === 0) return;
    const names = [...running].map(
      ([name, since]) => `${name} ${Math.round((performance.now() - since) / 1000)} s`,
    );
    stream.write(terminal ? `\r\u001b[K… ${names.join(', ')}` : `  … ${names.join(', ')}\n`);
  };
  const timer = setInterval(tell, terminal ? 500 : TELL_EVERY_MS);
  return {
    started(check: Check) {
      running.set(check.name, performance.now());
    },
    finished(one: Finished) {
      running.delete(one.check.name);
      clear();
      stream.write(`${lineOf(one)}\n`);
    },
    close() {
      clearInterval(timer);
      clear();
    },
  };
}

function lineOf({ check, result, milliseconds }: Finished): string {
  const mark = result.failed > 0 ? '✗' : '✓';
  const seconds = `${(milliseconds / 1000).toFixed(1)} s`;
  const { cpuSeconds } = result;
  const busy = cpuSeconds === undefined ? '' : `(processors ${cpuSeconds.toFixed(0)} s)`;
  const words = [`${mark} ${check.name.padEnd(18)} ${seconds.padStart(7)}`, busy, result.note ?? ''];
  return words.filter((word) => word !== '').join('  ');
}

/**
 * Failures with their remedies, then the count.
 *
 * @returns Text whose last line is `N passed, N failed, N skipped`.
 */
export function summaryOf(finished: readonly Finished[]): string {
  const failures = finished
    .filter((one) => one.result.failed > 0)
    .map((one) => `\n── ${one.check.name} failed ──\n${one.result.output.trimEnd()}\n→ ${one.check.mend}\n`);
  const sum = (field: 'passed' | 'failed' | 'skipped') =>
    finished.reduce((total, one) => total + one.result[field], 0);
  return `${failures.join('')}\n${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped\n`;
}
