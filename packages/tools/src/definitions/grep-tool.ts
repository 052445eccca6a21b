import * as z from 'zod';
import { nameArgument, numberArgument, pathArgument } from './argument-types.ts';
import { defineTool } from './define-tool.ts';

export const grepTool = /* @__PURE__ */ defineTool({
  name: 'grep',
  description: 'Search the text of files.',
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
  execution: () => ({ host: 'worker' }),
});
