import * as z from 'zod';
import { nameArgument, numberArgument } from '../definitions/argument-types.ts';
import { defineTool } from '../definitions/define-tool.ts';
import type { TextPiece } from '../definitions/execution.ts';

/** Length of an id; providers use some tens of characters for a call. */
const MAX_ID_BYTES = 256;
/** Characters that one call shows at most. */
const MAX_SHOWN = 50_000;

/**
 * Opens results that are shown to a model as one line or replaced by a summary [K5], and the whole
 * output of a command whose result was cut. Reads only this session's own log and outputs: no path,
 * no address, no changes.
 */
export const resultOpenTool = /* @__PURE__ */ defineTool({
  name: 'result_open',
  description:
    'Show an earlier result again by the id of its call, or the whole output of a command by the id in its notice.',
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
    run: (results) => shown(results.pieceOf(id, offset, limit), offset),
  }),
});

function shown({ text, next, size }: TextPiece, offset: number): string {
  if (offset >= size && offset > 0) return `[The result ends at ${size}.]`;
  const left = size - next;
  return left <= 0 ? text : `${text}\n[${left} more: go on with offset ${next}.]`;
}
