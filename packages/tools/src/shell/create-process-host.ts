import { describeError, type ToolHost } from '@bulkhead/protocol';
import { executionOn } from '../definitions/define-tool.ts';
import type { BackgroundCommands } from './background-commands.ts';

/** The host of the tools for background commands: a session sees its own commands only. */
export function createProcessHost(commands: BackgroundCommands): ToolHost {
  return {
    async execute(call) {
      const { sessionId } = call;
      try {
        const text = await executionOn('processes', call).run({
          list: () => commands.look(sessionId),
          stop: (id) => commands.stop(id, sessionId),
        });
        return { text, isError: false };
      } catch (error) {
        return { text: describeError(error), isError: true };
      }
    },
    plan: async ({ tool }) => ({ text: `${tool} would be called.`, isError: false, changes: [] }),
    inspect: async ({ paths }) => paths.map((path) => ({ path, hash: undefined })),
  };
}
