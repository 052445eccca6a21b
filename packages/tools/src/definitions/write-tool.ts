import * as z from 'zod';
import { pathArgument, textArgument } from './argument-types.ts';
import { defineTool } from './define-tool.ts';

export const writeTool = /* @__PURE__ */ defineTool({
  name: 'write',
  description: 'Create or replace a file.',
  group: 'files',
  readOnly: false,
  effect: 'idempotent',
  schema: z.strictObject({ path: pathArgument(), content: textArgument(4 * 1024 * 1024) }),
  paths: (args) => [{ path: args.path, access: 'write' }],
  execution: () => ({ host: 'worker' }),
});
