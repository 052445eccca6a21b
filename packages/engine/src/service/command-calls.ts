import { create } from '@bufbuild/protobuf';
import { type ClientService, CommandInfoSchema } from '@bulkhead/protocol/client';
import type { BackgroundCommand, BackgroundCommands } from '@bulkhead/tools';
import type { ServiceImpl } from '@connectrpc/connect';

/** What clients see and end of the commands that go on after their call: a person may end those of every session. */
export function commandCalls(background: Pick<BackgroundCommands, 'look' | 'stop'>) {
  return {
    listCommands: async ({ sessionId }) => ({
      commands: (await background.look(given(sessionId))).map(commandView),
    }),
    stopCommand: async ({ commandId, sessionId }) => {
      const stopped = await background.stop(commandId, given(sessionId));
      return stopped === undefined ? {} : { command: commandView(stopped) };
    },
  } satisfies Partial<ServiceImpl<typeof ClientService>>;
}

function commandView({ id, ended = '', remarks, ...info }: BackgroundCommand) {
  return create(CommandInfoSchema, { commandId: id, ended, remarks: [...remarks], ...info });
}

function given(text: string): string | undefined {
  return text === '' ? undefined : text;
}
