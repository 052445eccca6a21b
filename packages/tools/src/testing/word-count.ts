import * as z from 'zod';
import { numberArgument, pathArgument } from '../definitions/argument-types.ts';
import { defineTool } from '../definitions/define-tool.ts';

/**
 * A tool that the product doesn't have: a test adds it as a developer would, with this file and a
 * line in the registry.
 */
export const wordCountTool = /* @__PURE__ */ defineTool({
  name: 'word_count',
  description: 'Count the words of a file.',
  group: 'files',
  readOnly: true,
  effect: 'pure',
  schema: z.strictObject({ path: pathArgument(), least: numberArgument(1, 100).default(1) }),
  paths: ({ path }) => [{ path, access: 'read' }],
  flow: {
    effect: 'read',
    sink: 'none',
    arguments: { path: 'path-read', least: 'plain' },
    result: { writer: 'workspace' },
  },
  card: { kind: 'read', counts: ['word', 'words'] },
  worker: async () => {
    const { readWhole } = await import('../executors/writable-file.ts');
    const wordsOf = (text: string, least: number) =>
      text.split(/\s+/u).filter((word) => word.length >= least);
    return {
      run: async ({ path, least }, { files }) => {
        using location = files.locate(path, 'read');
        const words = wordsOf(readWhole(location).content.toString('utf8'), least);
        return { text: words.join('\n'), isError: false };
      },
      plan: async ({ path }) => ({ text: `would count the words of ${path}`, isError: false, changes: [] }),
    };
  },
});
