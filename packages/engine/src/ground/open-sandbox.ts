import { mkdirSync, rmSync } from 'node:fs';
import { type CommandBox, chooseCommandBox } from '@bulkhead/processes/boxes/command-box';
import type { CommandView } from '@bulkhead/processes/transactions/command-view';
import { CommandViews } from '@bulkhead/processes/transactions/command-views';
import { BulkheadError } from '@bulkhead/protocol';
import {
  type BoxProbe,
  createSandbox,
  locateLauncher,
  nodeRuntimeFiles,
  type ProbeReport,
  probeBoxes,
  type Sandbox,
  type SandboxOptions,
} from '@bulkhead/sandbox';

/** A sandbox whose boxes were tested in this start. */
export interface ProvenSandbox {
  readonly sandbox: Sandbox;
  readonly report: ProbeReport;
  /** The kinds of box with their own name spaces. */
  readonly nameSpaces: SandboxOptions['nameSpaces'];
  /** `off`: nothing is boxed, whatever the report says. */
  readonly boxes: 'on' | 'off';
  /** How shell commands run here. */
  readonly commandBox: CommandBox;
}

/**
 * Makes the sandbox and attacks its boxes from inside. Agents and workers don't run where their
 * boxes leak; where the shell's can't be made, commands run as `CommandBox` says.
 *
 * @param dist folder with the prebuilt launchers
 * @param underWay called when every attack is under way, unless one can't be started
 * @throws BulkheadError `sandbox_unavailable` naming the probes that failed
 */
export async function openSandbox(
  dist: string,
  nodePath: string,
  scratch: string,
  underWay?: () => void,
): Promise<ProvenSandbox> {
  const parts = {
    launcherPath: locateLauncher(dist),
    nodePath,
    runtimeFiles: await nodeRuntimeFiles(nodePath),
    scratch,
  };
  const unnamed = createSandbox({ ...parts, nameSpaces: { agent: false, worker: false } });
  const [report, view] = await Promise.all([
    probeBoxes(parts, underWay),
    usualView(unnamed, `${scratch}/view-trial`),
  ]);
  for (const [name, box] of [
    ['agent', report.boxes.agent],
    ['worker', report.boxes.worker],
  ] as const) {
    if (box.ok) continue;
    const failed = box.failed.length === 0 ? 'it could not be made' : `failed: ${box.failed.join(', ')}`;
    throw new BulkheadError(
      'sandbox_unavailable',
      `the box of the ${name} does not hold on this machine (${[failed, box.reason].filter(Boolean).join('; ')})`,
      {
        fix: 'Bulkhead needs Linux 5.13 or newer with Landlock and seccomp. `bulkhead doctor` shows each probe.',
      },
    );
  }
  const { agent, worker } = report.boxes;
  const nameSpaces = { agent: hasNameSpaces(agent), worker: hasNameSpaces(worker) };
  const sandbox = createSandbox({ ...parts, nameSpaces });
  const { launcherPath } = parts;
  const probe = report.boxes.shell;
  const commandBox = await chooseCommandBox({ sandbox, probe, view, launcherPath, run: scratch });
  return { sandbox, report, nameSpaces, boxes: 'on', commandBox };
}

function hasNameSpaces({ walls }: BoxProbe): boolean {
  return walls.includes('namespaces');
}

/**
 * The view of commands in folders on the disk of Bulkhead's home. Other folders are tested before a
 * command runs there.
 *
 * @param folder absolute, in the home; made for the trial, and removed
 */
async function usualView(sandbox: Pick<Sandbox, 'launch'>, folder: string): Promise<CommandView> {
  const [work, scratch] = [`${folder}/work`, `${folder}/scratch`];
  rmSync(folder, { recursive: true, force: true });
  for (const path of [work, scratch]) mkdirSync(path, { recursive: true, mode: 0o700 });
  try {
    return await new CommandViews(scratch, sandbox).of(work);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
