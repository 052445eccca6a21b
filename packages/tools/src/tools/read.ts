import * as z from 'zod';
import { numberArgument, pathArgument } from '../definitions/argument-types.ts';
import { defineTool } from '../definitions/define-tool.ts';

export const readTool = /* @__PURE__ */ defineTool({
  name: 'read',
  description: 'Read a text file.',
  group: 'files',
  readOnly: true,
  effect: 'pure',
  schema: z.strictObject({
    path: pathArgument(),
    offset: numberArgument(1, 1_000_000_000).default(1).describe('first line, from 1'),
    limit: numberArgument(1, 2_000).default(2_000).describe('lines'),
  }),
  paths: (args) => [{ path: args.path, access: 'read' }],
  flow: {
    effect: 'read',
    sink: 'none',
    arguments: { path: 'path-read', offset: 'plain', limit: 'plain' },
    result: { writer: 'workspace' },
  },
  card: { kind: 'read' },
  worker: async () => (await import('../executors/run-read.ts')).runRead,
});
