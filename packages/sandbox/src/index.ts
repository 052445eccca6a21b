export type { AgentBox, Box, ShellBox, ShellLimits, WorkerBox } from './box.ts';
export { boxedNodeArguments } from './boxed-node-arguments.ts';
export type { BoxedProgram } from './boxed-program.ts';
export { createSandbox } from './create-sandbox.ts';
export { type LauncherTarget, locateLauncher } from './locate-launcher.ts';
export { nodeRuntimeFiles } from './node-runtime-files.ts';
export type { BoxProbe, ProbeReport } from './probe-report.ts';
export { BOX_FAILED_STATUS, type Sandbox } from './sandbox.ts';
export type { SandboxOptions } from './sandbox-options.ts';
