import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import {
  CONTROL_OPTION,
  formatAims,
  judgeControl,
  judgeFindings,
  type ProbeFindings,
  readControl,
} from '@bulkhead/wire/self-probe';
import type { ProbeGround } from './probe-ground.ts';

/** The machine may be busy; but a starter gives up after 30 s, and then no one says which wall was not tried. */
const CONTROL_MS = 20_000;

/** Makes boxed processes attack their boxes, and evaluates the results. */
export interface SelfProbe {
  readonly ground: ProbeGround;
  /** Whether the box has name spaces of its own. */
  readonly nameSpaces: boolean;
  /** Slow attempts as well. */
  readonly thorough: boolean;
}

/**
 * The arguments that make a process attack its box first; none if it has no box.
 *
 * @param granted folders that its box lets it use
 */
export function probeArguments(
  probe: SelfProbe | 'unboxed',
  granted: readonly string[] = [],
): readonly string[] {
  return probe === 'unboxed' ? [] : ['--probe', formatAims(probe.ground.aims(probe.thorough, granted))];
}

/**
 * Evaluates a process by its report and by arrivals outside. Nothing was sent to it yet.
 * @throws BulkheadError `sandbox_unavailable` naming the breaches
 */
export function admitProbed(
  name: string,
  probe: SelfProbe | 'unboxed',
  findings: ProbeFindings,
  granted: readonly string[] = [],
): void {
  if (probe === 'unboxed') return;
  const { ground, ...box } = probe;
  judgeFindings(findings, { name, folderGranted: ground.isIn(granted), ...box });
  ground.check(name);
}

/**
 * Makes the same attempts, from the same bundle, without a box: each has to succeed.
 * @param name `agent` or `worker`
 * @throws BulkheadError `sandbox_unavailable` naming those that did not
 */
export async function tryWithoutBox(
  name: string,
  parts: { readonly ground: ProbeGround; readonly nodePath: string; readonly script: string },
): Promise<void> {
  const args = [parts.script, CONTROL_OPTION, formatAims(parts.ground.controlAims())];
  const { stdout } = await promisify(execFile)(parts.nodePath, args, { env: {}, timeout: CONTROL_MS });
  judgeControl(readControl(stdout), name);
}
