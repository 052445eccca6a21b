import * as z from 'zod';
import { nameArgument } from '../definitions/argument-types.ts';
import { defineTool } from '../definitions/define-tool.ts';

const MAX_TEXT_BYTES = 4_000;
/** As long as an index keeps it: search finds it by its words. */
const MAX_HEADING_BYTES = 120;

export const memoryWriteTool = /* @__PURE__ */ defineTool({
  name: 'memory_write',
  description: 'Remember a fact for later sessions. A fact that exists is not written twice.',
  group: 'memory',
  readOnly: false,
  // The same text already exists: no change.
  effect: 'idempotent',
  schema: z.strictObject({
    text: nameArgument(MAX_TEXT_BYTES),
    file: z.enum(['memory', 'daily', 'user']).default('memory').describe('memory, daily or user'),
    heading: nameArgument(MAX_HEADING_BYTES).optional(),
    replaces: nameArgument(MAX_TEXT_BYTES).optional().describe('line it replaces, as it reads'),
  }),
  flow: {
    effect: 'remember',
    sink: 'none',
    store: 'memory',
    arguments: { text: 'content', heading: 'content', file: 'plain', replaces: 'query' },
    result: { writer: 'service' },
  },
  card: { kind: 'edit' },
  host: 'memory',
  execution: ({ text, file: target, heading = '', replaces = '' }) => {
    const note = { text, target, heading, replaces };
    return { host: 'memory', note, run: (memory) => memory.write(note) };
  },
});
