export { coreGroups, coreTools } from './definitions/core-tools.ts';
export { type ServeWorkerOptions, serveWorker } from './serve-worker.ts';
export { createShellHost, type ShellCommand, type ShellHostOptions } from './shell/create-shell-host.ts';
export type { ShellSurroundings } from './shell/shell-environment.ts';
export {
  createToolRegistry,
  type ToolGroup,
  type ToolGroupListing,
  type ToolRegistry,
} from './tool-registry.ts';
export type { WorkerConnection } from './worker-connection.ts';
