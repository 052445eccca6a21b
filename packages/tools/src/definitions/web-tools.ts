import type { ToolDescription } from '@bulkhead/protocol';
import type { ToolGroup } from '../tool-registry.ts';
import { httpRequestTool } from './http-request-tool.ts';
import { webFetchTool } from './web-fetch-tool.ts';

/** The tools that reach the network through the egress broker. Loaded on demand. */
export const webTools: readonly ToolDescription[] = [webFetchTool, httpRequestTool];

export const webGroups: readonly ToolGroup[] = [
  { name: 'web', summary: 'read web pages, call web services' },
];
