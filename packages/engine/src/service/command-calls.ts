import { basename, dirname } from 'node:path';
import { create } from '@bufbuild/protobuf';
import { BulkheadError } from '@bulkhead/protocol';
import { type ClientService, CommandInfoSchema } from '@bulkhead/protocol/client';
import { type BackgroundCommand, type BackgroundCommands, readKeptOutput } from '@bulkhead/tools';
import type { ServiceImpl } from '@connectrpc/connect';

const MAX_OUTPUT_BYTES = 65_536;

/** Calls about background commands: the user may read and stop those of every session. */
export function commandCalls(background: Pick<BackgroundCommands, 'list' | 'look' | 'end'>) {
  return {
    listCommands: async ({ sessionId }) => ({
      commands: (await background.look(given(sessionId))).map(commandView),
    }),
    stopCommand: async ({ commandId, sessionId }) => {
      const stopped = await background.end(commandId, given(sessionId));
      return stopped === undefined ? {} : { command: commandView(stopped) };
    },
    readCommandOutput: ({ commandId, sessionId, offset, limit }) => {
      const command = background.list(given(sessionId)).find(({ id }) => id === commandId);
      if (command === undefined) throw unknownCommand(commandId);
      const { outputPath, ended = '' } = command;
      const bytes = Math.min(limit === 0 ? MAX_OUTPUT_BYTES : limit, MAX_OUTPUT_BYTES);
      // Absent until it has printed something.
      const kept = readKeptOutput(dirname(outputPath), basename(outputPath, '.txt'), Number(offset), bytes);
      const { text, next, size } = kept ?? { text: '', next: 0, size: 0 };
      return { text, next: BigInt(next), size: BigInt(size), ended };
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

function unknownCommand(id: string): BulkheadError {
  return new BulkheadError('not_found', `there is no background command ${id}`, {
    fix: 'See `bulkhead processes`.',
  });
}

function given(text: string): string | undefined {
  return text === '' ? undefined : text;
}
