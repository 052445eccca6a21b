export { executionOn } from './definitions/define-tool.ts';
export type { HostKind, TextPiece } from './definitions/execution.ts';
export { type AllowList, parseAllowList } from './egress/allow-list.ts';
export type { Destination } from './egress/connector.ts';
export { dialAddress } from './egress/dial-address.ts';
export { EgressBroker, type EgressOptions } from './egress/egress-broker.ts';
export { type Host, parseHost } from './egress/host.ts';
export { type HostPatterns, parseHostPatterns } from './egress/host-patterns.ts';
export { systemNetworks } from './egress/local-networks.ts';
export { type PrivateOpenings, parseOpenings } from './egress/private-openings.ts';
export { systemResolver } from './egress/resolve-host.ts';
export { hostHeader, parseWebUrl, type WebUrl } from './egress/web-url.ts';
export { type ServeWorkerOptions, serveWorker, type WorkerGuard } from './serve-worker.ts';
export { BackgroundCommands } from './shell/background-commands.ts';
export { changeLines, countChanges, countText } from './shell/change-list.ts';
export type { CommandRecords } from './shell/command-records.ts';
export { createProcessHost } from './shell/create-process-host.ts';
export { createShellHost, type ShellHostOptions } from './shell/create-shell-host.ts';
export type { BackgroundCommand, EndedDecision } from './shell/ended-command.ts';
export { readKeptOutput } from './shell/kept-output.ts';
export { problemLine } from './shell/problem-line.ts';
export { PROXY, type ShellSurroundings } from './shell/shell-environment.ts';
export type {
  CommandTransaction,
  FoundOutside,
  LeftProcesses,
  MissingThings,
  ShellCommand,
  StartedCommand,
} from './shell/started-command.ts';
export {
  createToolRegistry,
  type ToolGroup,
  type ToolGroupListing,
  type ToolRegistry,
} from './tool-registry.ts';
export { coreGroups, coreTools, everyGroup, everyTool, toolsOf } from './tools/every-tool.ts';
export { memorySearchTool } from './tools/memory-search.ts';
export { memoryWriteTool } from './tools/memory-write.ts';
export { unifiedDiff } from './unified-diff.ts';
export type { DocumentToRender, RenderedDocument } from './web/render-document.ts';
export { parseRenderAnswer, renderRequest } from './web/render-wire.ts';
export { createWebHost, type RenderInBox, type WebHostOptions } from './web/web-host.ts';
export type { WorkerConnection } from './worker-connection.ts';
