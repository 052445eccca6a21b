import * as z from 'zod';
import { nameArgument, numberArgument } from '../definitions/argument-types.ts';
import { defineTool } from '../definitions/define-tool.ts';

/** Length of a call id; providers use some tens of characters. */
const MAX_ID_BYTES = 256;
/** Characters that one call shows at most. */
const MAX_SHOWN = 50_000;

/**
 * Opens results that are shown to a model as one line or replaced by a summary [K5]. Reads only
 * this session's own log: no path, no address, no changes.
 */
export const resultOpenTool = /* @__PURE__ */ defineTool({
  name: 'result_open',
  description: 'Show an earlier result of this session again, by the id of its call.',
  group: 'results',
  readOnly: true,
  effect: 'pure',
  schema: z.strictObject({
    id: nameArgument(MAX_ID_BYTES),
    offset: numberArgument(0, 1_000_000_000).default(0),
    limit: numberArgument(1, MAX_SHOWN).default(MAX_SHOWN),
  }),
  flow: {
    effect: 'read',
    sink: 'none',
    arguments: { id: 'plain', offset: 'plain', limit: 'plain' },
    result: { writer: 'external' },
  },
  card: { kind: 'read' },
  host: 'results',
  execution: ({ id, offset, limit }) => ({
    host: 'results',
    run: (results) => pieceOf(results.textOf(id), offset, limit),
  }),
});

function pieceOf(text: string, offset: number, limit: number): string {
  const piece = text.slice(offset, offset + limit);
  const left = text.length - offset - piece.length;
  if (left <= 0) return piece === '' ? `[The result ends at ${text.length}.]` : piece;
  return `${piece}\n[${left} characters more: go on with offset ${offset + piece.length}.]`;
}
