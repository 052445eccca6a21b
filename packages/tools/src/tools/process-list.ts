import * as z from 'zod';
import { defineTool } from '../definitions/define-tool.ts';
import type { CommandStatus } from '../definitions/execution.ts';

export const processListTool = /* @__PURE__ */ defineTool({
  name: 'process_list',
  description: 'List background commands.',
  group: 'processes',
  readOnly: true,
  effect: 'pure',
  schema: z.strictObject({}),
  flow: { effect: 'read', sink: 'none', arguments: {}, result: { writer: 'service' } },
  card: { kind: 'other' },
  host: 'processes',
  execution: () => ({
    host: 'processes',
    run: async (commands) => listText(await commands.list()),
  }),
});

function listText(commands: readonly CommandStatus[]): string {
  if (commands.length === 0) return 'No background command.';
  return commands
    .flatMap((one) => [
      `${one.id} ${one.ended ?? 'runs'}: ${one.command} (output: result_open ${one.id})`,
      ...remarkLines(one),
    ])
    .join('\n');
}

/** Lines of a result about limits that the box could not enforce. */
export function remarkLines({ remarks }: CommandStatus): readonly string[] {
  return remarks.map((remark) => `[${remark}]`);
}
