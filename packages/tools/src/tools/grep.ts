import * as z from 'zod';
import { nameArgument, numberArgument, pathArgument } from '../definitions/argument-types.ts';
import { defineTool } from '../definitions/define-tool.ts';

export const grepTool = /* @__PURE__ */ defineTool({
  name: 'grep',
  description: 'Search in files.',
  group: 'files',
  readOnly: true,
  effect: 'pure',
  schema: z.strictObject({
    pattern: nameArgument(4096).describe('regex'),
    path: pathArgument().default('.'),
    glob: nameArgument(256).optional(),
    ignore_case: z.boolean().default(false),
    limit: numberArgument(1, 1_000).default(100),
  }),
  paths: (args) => [{ path: args.path, access: 'read' }],
  flow: {
    effect: 'read',
    sink: 'none',
    arguments: { pattern: 'query', path: 'path-read', glob: 'query', ignore_case: 'plain', limit: 'plain' },
    result: { writer: 'workspace' },
  },
  card: { kind: 'search', counts: ['match', 'matches'] },
  worker: async () => (await import('../executors/run-grep.ts')).runGrep,
});
