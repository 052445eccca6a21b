import * as z from 'zod';
import { pathArgument, textArgument } from '../definitions/argument-types.ts';
import { defineTool } from '../definitions/define-tool.ts';

const MAX_TEXT_BYTES = 1024 * 1024;

/** Names its path for reading too: whether an edit fits reveals the file's content. */
export const editTool = /* @__PURE__ */ defineTool({
  name: 'edit',
  description: 'Replace one exact unique text in a file.',
  group: 'files',
  readOnly: false,
  effect: 'idempotent',
  schema: z
    .strictObject({
      path: pathArgument(),
      old_text: textArgument(MAX_TEXT_BYTES).refine((text) => text.length > 0, {
        error: 'is empty; to create a file use write',
      }),
      new_text: textArgument(MAX_TEXT_BYTES),
    })
    .refine((args) => args.old_text !== args.new_text, { error: 'old_text and new_text are the same' }),
  paths: (args) => [
    { path: args.path, access: 'read' },
    { path: args.path, access: 'write' },
  ],
  flow: {
    effect: 'change',
    sink: 'none',
    arguments: { path: 'path-write', old_text: 'content', new_text: 'content' },
    result: { writer: 'service' },
  },
  card: { kind: 'edit', replaced: 'old_text', replacement: 'new_text' },
  worker: async () => (await import('../executors/run-edit.ts')).runEdit,
});
