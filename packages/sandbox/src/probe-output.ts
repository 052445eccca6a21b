const PROBE_LINE = /^(\S+) (ok|FAIL)(?: (.*))?$/;
const TOTAL_LINE = /^probes (\d+) failed (\d+)$/;
const LANDLOCK_LINE = /^landlock (\d+)$/;

/** The result of a probing launcher. */
export interface ProbeOutput {
  /** Exit status; null if a signal ended it. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The findings of one probing launcher. */
export interface ProbeResult {
  readonly ok: boolean;
  /** The kernel's version of Landlock, 0 if unknown. */
  readonly landlockAbi: number;
  readonly failed: readonly string[];
  readonly reason?: string;
}

/**
 * Reads a launcher's probe lines. Anything but a complete list of successes with status 0 is a
 * failure: a missing line is as bad as a FAIL line.
 */
export function readProbeOutput(output: ProbeOutput): ProbeResult {
  const lines = output.stdout.split('\n').filter((line) => line !== '');
  const kernel = LANDLOCK_LINE.exec(lines[0] ?? '');
  const landlockAbi = Number(kernel?.[1] ?? 0);
  const total = TOTAL_LINE.exec(lines.at(-1) ?? '');
  const probes = lines.slice(1, -1).map((line) => PROBE_LINE.exec(line));
  const complete =
    kernel !== null && total !== null && Number(total[1]) > 0 && Number(total[1]) === probes.length;
  if (!complete || probes.includes(null)) {
    const said = output.stderr.trim().split('\n');
    const why = said.find((line) => line.startsWith('bulkhead-launcher: ')) ?? said[0] ?? '';
    const last = lines.at(-1);
    const place = last === undefined ? 'before its first line' : `after ${lines.length} lines, "${last}"`;
    const reason = why === '' ? `the probe ended early (${output.status}), ${place}` : why;
    return { ok: false, landlockAbi, failed: [], reason };
  }
  const failures = probes.flatMap((probe) =>
    probe?.[2] === 'FAIL' ? [{ name: probe[1] ?? '', detail: probe[3] ?? '' }] : [],
  );
  const failed = failures.map((failure) => failure.name);
  const [first] = failures;
  if (first !== undefined) {
    const reason = `${failed.length} of ${probes.length} probes failed; ${first.name}: ${first.detail}`;
    return { ok: false, landlockAbi, failed, reason };
  }
  if (output.status !== 0 || total?.[2] !== '0') {
    return { ok: false, landlockAbi, failed, reason: `the probe ended with status ${output.status}` };
  }
  return { ok: true, landlockAbi, failed };
}
