import { create } from '@bufbuild/protobuf';
import { type ClientService, CommandInfoSchema } from '@bulkhead/protocol/client';
import type { BackgroundCommand, BackgroundCommands } from '@bulkhead/tools';
import type { ServiceImpl } from '@connectrpc/connect';

/** Calls that list and stop background commands: the user may stop those of every session. */
export function commandCalls(background: Pick<BackgroundCommands, 'look' | 'end'>) {
  return {
    listCommands: async ({ sessionId }) => ({
      commands: (await background.look(given(sessionId))).map(commandView),
    }),
    stopCommand: async ({ commandId, sessionId }) => {
      const stopped = await background.end(commandId, given(sessionId));
      return stopped === undefined ? {} : { command: commandView(stopped) };
    },
  } satisfies Partial<ServiceImpl<typeof ClientService>>;
}

function commandView({
  id,
  ended = '',
  remarks,
  workingFolder: _,
  action: _began,
  ...info
}: BackgroundCommand) {
  return create(CommandInfoSchema, { commandId: id, ended, remarks: [...remarks], ...info });
}

function given(text: string): string | undefined {
  return text === '' ? undefined : text;
}
