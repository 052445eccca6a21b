import * as z from 'zod';
import { pathArgument, textArgument } from '../definitions/argument-types.ts';
import { defineTool } from '../definitions/define-tool.ts';

export const writeTool = /* @__PURE__ */ defineTool({
  name: 'write',
  description: 'Create or replace a file.',
  group: 'files',
  readOnly: false,
  effect: 'idempotent',
  schema: z.strictObject({ path: pathArgument(), content: textArgument(4 * 1024 * 1024) }),
  paths: (args) => [{ path: args.path, access: 'write' }],
  flow: {
    effect: 'create',
    sink: 'none',
    arguments: { path: 'path-write', content: 'content' },
    result: { writer: 'service' },
  },
  card: { kind: 'edit' },
  worker: async () => (await import('../executors/run-write.ts')).runWrite,
});
