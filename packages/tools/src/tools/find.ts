import * as z from 'zod';
import { nameArgument, numberArgument, pathArgument } from '../definitions/argument-types.ts';
import { defineTool } from '../definitions/define-tool.ts';

export const findTool = /* @__PURE__ */ defineTool({
  name: 'find',
  description: 'Find files by name.',
  group: 'files',
  readOnly: true,
  effect: 'pure',
  schema: z.strictObject({
    pattern: nameArgument(256).describe('glob'),
    path: pathArgument().default('.'),
    limit: numberArgument(1, 2_000).default(500),
  }),
  paths: (args) => [{ path: args.path, access: 'read' }],
  flow: {
    effect: 'read',
    sink: 'none',
    arguments: { pattern: 'query', path: 'path-read', limit: 'plain' },
    result: { writer: 'workspace' },
  },
  card: { kind: 'search', counts: ['file', 'files'] },
  worker: async () => (await import('../executors/run-find.ts')).runFind,
});
