import { BulkheadError } from '@bulkhead/protocol';
import * as z from 'zod';
import { nameArgument } from '../definitions/argument-types.ts';
import { defineTool } from '../definitions/define-tool.ts';
import { remarkLines } from './process-list.ts';

const MAX_ID_BYTES = 64;

export const processStopTool = /* @__PURE__ */ defineTool({
  name: 'process_stop',
  description: 'Stop a background command.',
  group: 'processes',
  readOnly: false,
  effect: 'idempotent',
  schema: z.strictObject({ id: nameArgument(MAX_ID_BYTES) }),
  flow: { effect: 'change', sink: 'none', arguments: { id: 'object' }, result: { writer: 'service' } },
  card: { kind: 'other' },
  host: 'processes',
  execution: ({ id }) => ({
    host: 'processes',
    run: async (commands) => {
      const stopped = await commands.stop(id);
      if (stopped !== undefined) return [`${id} is stopped.`, ...remarkLines(stopped)].join('\n');
      throw new BulkheadError('invalid_arguments', `this session has no background command ${id}`);
    },
  }),
});
