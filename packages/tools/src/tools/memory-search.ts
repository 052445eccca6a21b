import * as z from 'zod';
import { nameArgument, numberArgument } from '../definitions/argument-types.ts';
import { defineTool } from '../definitions/define-tool.ts';

const MAX_QUERY_BYTES = 2_000;

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
  flow: {
    effect: 'read',
    sink: 'none',
    store: 'memory',
    arguments: { query: 'query', limit: 'plain' },
    result: { writer: 'workspace' },
  },
  card: { kind: 'search' },
  host: 'memory',
  execution: ({ query, limit }) => ({ host: 'memory', run: (memory) => memory.search(query, limit) }),
});
