import * as z from 'zod';
import { numberArgument, pathArgument } from './argument-types.ts';
import { defineTool } from './define-tool.ts';

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
  execution: () => ({ host: 'worker' }),
});
