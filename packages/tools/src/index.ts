export { coreGroups, coreTools } from './definitions/core-tools.ts';
export { shownName } from './files/shown-name.ts';
export { type ServeWorkerOptions, serveWorker } from './serve-worker.ts';
export { changeLines, countChanges, countText } from './shell/change-list.ts';
export { createShellHost, type ShellHostOptions } from './shell/create-shell-host.ts';
export { problemLine } from './shell/problem-line.ts';
export type { ShellSurroundings } from './shell/shell-environment.ts';
export type { CommandTransaction, ShellCommand, StartedCommand } from './shell/started-command.ts';
export {
  createToolRegistry,
  type ToolGroup,
  type ToolGroupListing,
  type ToolRegistry,
} from './tool-registry.ts';
export type { WorkerConnection } from './worker-connection.ts';
