import type { EngineLink } from '@bulkhead/client';
import type { UiCommand, UiSeat } from '@bulkhead/tui';
import type { Output } from '../../output/output.ts';
import type { ChatCommand, ChatSeat } from '../commands/chat-command.ts';
import { COMMAND_NAMES } from '../commands/chat-commands.ts';
import type { ChosenModel } from '../commands/chosen-model.ts';
import { plainOutput, ToldLines } from './told-lines.ts';

interface Parts {
  readonly link: EngineLink;
  readonly model: ChosenModel;
}

/** A command of the chat as one of the terminal UI: its output appears on the screen. */
export function uiCommand({ run, ...words }: ChatCommand, parts: Parts): UiCommand {
  return {
    ...words,
    run: async (argument, seat) => {
      using told = new ToldLines((text) => seat.print(text));
      await run(argument, seatOf(seat, plainOutput(told), parts));
    },
  };
}

function seatOf(seat: UiSeat, output: Output, { link, model }: Parts): ChatSeat {
  const { sessionId, folder, signal, waiting, own } = seat;
  return {
    link,
    output,
    signal,
    sessionId,
    folder,
    model,
    view: {
      get showThinking() {
        return seat.thinking();
      },
      set showThinking(shown) {
        seat.thinking(shown);
      },
    },
    taken: COMMAND_NAMES,
    queue: { sessionId, waiting, own },
    ask: (question) => seat.ask(question),
    send: (text, delivery) => seat.send(text, delivery),
    open: (id) => seat.open(id),
    leave: () => seat.leave(),
  };
}
