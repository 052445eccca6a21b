export {
  AGENT_BOX_LIMITS,
  type AgentBox,
  type Box,
  type KeptFolders,
  type Neighbour,
  type NodeLimits,
  type SessionSpaces,
  type ShellBox,
  type ShellLimits,
  WORKER_BOX_LIMITS,
  type WorkerBox,
} from './box.ts';
export { boxedNodeArguments } from './boxed-node-arguments.ts';
export type { BoxedProgram } from './boxed-program.ts';
export { type BubblewrapShell, bubblewrapShell } from './bubblewrap/launch-in-bubblewrap.ts';
export { createOpenSandbox } from './create-open-sandbox.ts';
export { createSandbox } from './create-sandbox.ts';
export { type LauncherTarget, locateLauncher } from './locate-launcher.ts';
export { nodeRuntimeFiles } from './node-runtime-files.ts';
export { type ProbeOptions, probeBoxes } from './probe-boxes.ts';
export type { BoxProbe, ProbeReport, Wall } from './probe-report.ts';
export { BOX_FAILED_STATUS, type Sandbox } from './sandbox.ts';
export type { SandboxOptions } from './sandbox-options.ts';
export type { FolderSize } from './tend-folders.ts';
export { type CommitMark, readCommitMark } from './transaction/commit-mark.ts';
export type { LaterTransaction } from './transaction/later-transaction.ts';
export type { RecoveredAs } from './transaction/recover-transaction.ts';
export { ShellTransaction } from './transaction/shell-transaction.ts';
