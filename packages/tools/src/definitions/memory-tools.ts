import type { ToolDescription } from '@bulkhead/protocol';
import * as z from 'zod';
import type { ToolGroup } from '../tool-registry.ts';
import { nameArgument, numberArgument } from './argument-types.ts';
import { defineTool } from './define-tool.ts';

const MAX_QUERY_BYTES = 2_000;
const MAX_TEXT_BYTES = 4_000;
/** No longer than an index keeps of one: it is known by its words. */
const MAX_HEADING_BYTES = 120;

export const memorySearchTool = /* @__PURE__ */ defineTool({
  name: 'memory_search',
  description: 'Search memory, notes and past sessions.',
  group: 'memory',
  readOnly: true,
  effect: 'pure',
  schema: z.strictObject({
    query: nameArgument(MAX_QUERY_BYTES),
    limit: numberArgument(1, 50).default(5),
  }),
  execution: ({ query, limit }) => ({ host: 'memory', run: (memory) => memory.search(query, limit) }),
});

export const memoryWriteTool = /* @__PURE__ */ defineTool({
  name: 'memory_write',
  description: 'Remember a fact for later sessions. What is there already is not written twice.',
  group: 'memory',
  readOnly: false,
  // The same text again is there already: it changes nothing.
  effect: 'idempotent',
  schema: z.strictObject({
    text: nameArgument(MAX_TEXT_BYTES),
    file: z.enum(['memory', 'daily', 'user']).default('memory').describe('memory, daily or user'),
    heading: nameArgument(MAX_HEADING_BYTES).optional(),
    replaces: nameArgument(MAX_TEXT_BYTES).optional().describe('line it replaces, as it reads'),
  }),
  execution: ({ text, file: target, heading = '', replaces = '' }) => {
    const note = { text, target, heading, replaces };
    return { host: 'memory', note, run: (memory) => memory.write(note) };
  },
});

/** The tools for what outlives a session. Loaded on demand. */
export const memoryTools: readonly ToolDescription[] = [memorySearchTool, memoryWriteTool];

export const memoryGroups: readonly ToolGroup[] = [{ name: 'memory', summary: 'long-term memory' }];
