import {
  BulkheadError,
  describeError,
  type SettleCommand,
  type ToolHost,
  type ToolHostCall,
} from '@bulkhead/protocol';
import { executionOn } from '../definitions/define-tool.ts';
import type { BackgroundCommands } from './background-commands.ts';
import { countChanges } from './change-list.ts';
import type { StoppedCommand } from './running-command.ts';
import { settledLines } from './shell-result.ts';

/**
 * The host of the tools for background commands: a session sees its own commands only. Stopping one
 * settles what it wrote.
 */
export function createProcessHost(commands: BackgroundCommands): ToolHost {
  return {
    async execute(call, _update, signal, settle) {
      const { sessionId } = call;
      let stopped: StoppedCommand | undefined;
      try {
        const text = await executionOn('processes', call).run({
          list: () => commands.look(sessionId),
          stop: async (id) => {
            const decide = settle && within(call, commands, id, settle);
            stopped = await commands.stop(id, sessionId, decide, signal);
            return stopped?.command;
          },
        });
        return withOutcome(text, stopped);
      } catch (error) {
        // Recovery must find out whether the changes were kept; this host can't.
        if (BulkheadError.is(error) && error.code === 'worker_failed') throw error;
        return { text: describeError(error), isError: true };
      }
    },
    plan: async ({ tool }) => ({ text: `${tool} would be called.`, isError: false, changes: [] }),
    inspect: async ({ paths }) => paths.map((path) => ({ path, hash: undefined })),
  };
}

/** The call decides about its own folder only; what was written elsewhere waits. */
function within(
  { sessionId, workingFolder }: ToolHostCall,
  commands: BackgroundCommands,
  id: string,
  settle: SettleCommand,
): SettleCommand {
  const command = commands.list(sessionId).find((one) => one.id === id);
  if (command?.workingFolder === workingFolder) return settle;
  return () =>
    Promise.reject(
      new BulkheadError(
        'not_available',
        `it works in ${command?.workingFolder}, and this session elsewhere`,
        {
          fix: 'A person keeps them with `bulkhead processes stop`.',
        },
      ),
    );
}

function withOutcome(text: string, stopped: StoppedCommand | undefined) {
  const settled = stopped?.settled;
  if (settled === undefined) return { text, isError: false };
  const lines = [text, ...settledLines(settled, false)].join('\n');
  const counts = settled.effects && { kept: settled.kept, ...countChanges(settled.effects.changes) };
  return {
    text: lines,
    isError: settled.reason !== undefined,
    ...(counts === undefined ? {} : { effects: counts }),
  };
}
