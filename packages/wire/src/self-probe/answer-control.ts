import { attackOwnBox, type ProbeFindings } from './attack-own-box.ts';
import { parseAims } from './probe-aims.ts';

/** First argument of a bundle that makes its attempts without a box and then ends. */
export const CONTROL_OPTION = '--probe-control';

/** @returns what to write to stdout, or undefined if these are not the arguments of a control */
export async function answerControl(args: readonly string[]): Promise<string | undefined> {
  const aims = args[0] === CONTROL_OPTION ? parseAims(args[1] ?? '') : undefined;
  if (aims === undefined) return undefined;
  const findings = await attackOwnBox(aims);
  return Object.entries(findings)
    .map(([name, found]) => `${name} ${found}\n`)
    .join('');
}

/** Reads the output of a control. */
export function readControl(text: string): ProbeFindings {
  const lines = text.split('\n').filter((line) => line.includes(' '));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]),
  );
}
