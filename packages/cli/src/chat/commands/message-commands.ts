import type { ChatCommand } from './chat-command.ts';
import { takeBack } from './take-back.ts';

export const queueCommand: ChatCommand = {
  name: 'queue',
  argument: 'TEXT',
  about: 'send a message that is taken up after the run; Alt-Enter does too',
  needs: 'a message',
  run: (text, seat) => seat.send(text, 'queue'),
};

export const unqueueCommand: ChatCommand = {
  name: 'unqueue',
  about: 'take back the last message of yours that still waits',
  run: (_argument, { link, queue, output, signal }) => takeBack(link, queue, output, signal),
};

export const nowCommand: ChatCommand = {
  name: 'now',
  argument: 'TEXT',
  about: 'cancel the run and send a message',
  needs: 'a message',
  run: (text, seat) => seat.send(text, 'now'),
};
