import { BulkheadError, type ToolDescription } from '@bulkhead/protocol';
import * as z from 'zod';
import type { ToolGroup } from '../tool-registry.ts';
import { nameArgument } from './argument-types.ts';
import { defineTool } from './define-tool.ts';
import type { CommandStatus } from './execution.ts';

const MAX_ID_BYTES = 64;

export const processListTool = /* @__PURE__ */ defineTool({
  name: 'process_list',
  description: 'List background commands.',
  group: 'processes',
  readOnly: true,
  effect: 'pure',
  schema: z.strictObject({}),
  execution: () => ({
    host: 'processes',
    run: async (commands) => listText(await commands.list()),
  }),
});

export const processStopTool = /* @__PURE__ */ defineTool({
  name: 'process_stop',
  description: 'Stop a background command.',
  group: 'processes',
  readOnly: false,
  effect: 'idempotent',
  schema: z.strictObject({ id: nameArgument(MAX_ID_BYTES) }),
  execution: ({ id }) => ({
    host: 'processes',
    run: async (commands) => {
      const stopped = await commands.stop(id);
      if (stopped !== undefined) return [`${id} is stopped.`, ...remarkLines(stopped)].join('\n');
      throw new BulkheadError('invalid_arguments', `this session has no background command ${id}`);
    },
  }),
});

/** The tools for commands that go on after their call. Loaded on demand. */
export const processTools: readonly ToolDescription[] = [processListTool, processStopTool];

export const processGroups: readonly ToolGroup[] = [{ name: 'processes', summary: 'background commands' }];

function listText(commands: readonly CommandStatus[]): string {
  if (commands.length === 0) return 'No background command.';
  return commands
    .flatMap((one) => [
      `${one.id} ${one.ended ?? 'runs'}: ${one.command} (${one.outputPath})`,
      ...remarkLines(one),
    ])
    .join('\n');
}

function remarkLines({ remarks }: CommandStatus): readonly string[] {
  return remarks.map((remark) => `[${remark}]`);
}
