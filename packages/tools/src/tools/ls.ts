import * as z from 'zod';
import { numberArgument, pathArgument } from '../definitions/argument-types.ts';
import { defineTool } from '../definitions/define-tool.ts';

export const lsTool = /* @__PURE__ */ defineTool({
  name: 'ls',
  description: 'List a folder.',
  group: 'files',
  readOnly: true,
  effect: 'pure',
  schema: z.strictObject({
    path: pathArgument().default('.'),
    offset: numberArgument(0, 10_000_000).default(0),
    limit: numberArgument(1, 2_000).default(500),
  }),
  paths: (args) => [{ path: args.path, access: 'read' }],
  flow: {
    effect: 'read',
    sink: 'none',
    arguments: { path: 'path-read', offset: 'plain', limit: 'plain' },
    result: { writer: 'workspace' },
  },
  card: { kind: 'read' },
  worker: async () => (await import('../executors/run-ls.ts')).runLs,
});
