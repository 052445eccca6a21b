import type { EngineLink } from '@bulkhead/client';
import type { UiCommand } from '@bulkhead/tui';
import { toolsCommand } from './tools-command.ts';

/** How the sessions of a chat are kept; a person may change it. */
export interface RecordMode {
  offTheRecord: boolean;
}

/** Switches of a chat, and the tools and instructions of its model. */
export function modeCommands(link: EngineLink, mode: RecordMode): readonly UiCommand[] {
  return [
    {
      name: 'otr',
      about: 'start a session off the record: nothing is written, tools only read; again: on the record',
      run: async (_argument, { open, print }) => {
        mode.offTheRecord = !mode.offTheRecord;
        await open(undefined);
        print(mode.offTheRecord ? 'off the record: it ends with the engine' : 'on the record again');
      },
    },
    {
      name: 'dry-run',
      about: 'describe changes without making them; again: make them',
      run: (_argument, { dryRun, print }) => {
        const wanted = dryRun(!dryRun());
        print(
          wanted ? 'dry run from the next message on' : 'changes are made again from the next message on',
        );
      },
    },
    toolsCommand(link),
  ];
}
