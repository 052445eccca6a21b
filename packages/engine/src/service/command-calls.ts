import { create } from '@bufbuild/protobuf';
import { type ClientService, CommandInfoSchema } from '@bulkhead/protocol/client';
import type { BackgroundCommands } from '@bulkhead/tools';
import type { ServiceImpl } from '@connectrpc/connect';

type CommandCall = 'listCommands' | 'stopCommand';

/** What clients see and end of the commands that go on after their call: a person may end those of every session. */
export function commandCalls(
  background: Pick<BackgroundCommands, 'list' | 'stop'>,
): Pick<ServiceImpl<typeof ClientService>, CommandCall> {
  return {
    listCommands: ({ sessionId }) => ({
      commands: background
        .list(given(sessionId))
        .map(({ id, ended = '', ...info }) => create(CommandInfoSchema, { commandId: id, ended, ...info })),
    }),
    stopCommand: async ({ commandId, sessionId }) => ({
      stopped: await background.stop(commandId, given(sessionId)),
    }),
  };
}

function given(text: string): string | undefined {
  return text === '' ? undefined : text;
}
