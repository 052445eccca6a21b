import type { BoxProbe } from './probe-report.ts';

const PROBE_LINE = /^(\S+) (ok|FAIL)(?: (.*))?$/;
const TOTAL_LINE = /^probes (\d+) failed (\d+)$/;

/** What a probing launcher left behind. */
export interface ProbeOutput {
  /** Exit status; null if a signal ended it. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Reads a launcher's probe lines. Anything but a complete list of successes with status 0 is a failure:
 * lines that are missing count as much as lines that say FAIL.
 */
export function readProbeOutput(output: ProbeOutput): BoxProbe {
  const lines = output.stdout.split('\n').filter((line) => line !== '');
  const total = TOTAL_LINE.exec(lines.at(-1) ?? '');
  const probes = lines.slice(0, -1).map((line) => PROBE_LINE.exec(line));
  const complete = total !== null && Number(total[1]) > 0 && Number(total[1]) === probes.length;
  if (!complete || probes.includes(null)) {
    const why = output.stderr.trim().split('\n')[0] ?? '';
    return { ok: false, failed: [], reason: why === '' ? `the probe ended early (${output.status})` : why };
  }
  const failures = probes.flatMap((probe) =>
    probe?.[2] === 'FAIL' ? [{ name: probe[1] ?? '', detail: probe[3] ?? '' }] : [],
  );
  const failed = failures.map((failure) => failure.name);
  const [first] = failures;
  if (first !== undefined) {
    return {
      ok: false,
      failed,
      reason: `${failed.length} of ${probes.length} probes failed; ${first.name}: ${first.detail}`,
    };
  }
  if (output.status !== 0 || total?.[2] !== '0') {
    return { ok: false, failed, reason: `the probe ended with status ${output.status}` };
  }
  return { ok: true, failed };
}
