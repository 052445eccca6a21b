import type { ToolDescription } from '@bulkhead/protocol';
import * as z from 'zod';
import type { ToolGroup } from '../tool-registry.ts';
import { nameArgument } from './argument-types.ts';
import { defineTool } from './define-tool.ts';

const MAX_ID_BYTES = 64;

export const processListTool = /* @__PURE__ */ defineTool({
  name: 'process_list',
  description: 'List background commands.',
  group: 'processes',
  readOnly: true,
  effect: 'pure',
  schema: z.strictObject({}),
  paths: () => [],
});

export const processStopTool = /* @__PURE__ */ defineTool({
  name: 'process_stop',
  description: 'Stop a background command.',
  group: 'processes',
  readOnly: false,
  effect: 'idempotent',
  schema: z.strictObject({ id: nameArgument(MAX_ID_BYTES) }),
  paths: () => [],
});

/** The tools for commands that go on after their call. Loaded on demand. */
export const processTools: readonly ToolDescription[] = [processListTool, processStopTool];

export const processGroups: readonly ToolGroup[] = [{ name: 'processes', summary: 'background commands' }];
