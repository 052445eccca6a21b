import type { ChatCommand } from './chat-command.ts';
import { takeBack } from './take-back.ts';

export const queueCommand: ChatCommand = {
  name: 'queue',
  argument: 'TEXT',
  about: 'send a message after the run; Alt-Enter does too',
  needs: 'a message',
  run: (text, seat) => seat.send(text, 'queue'),
};

export const unqueueCommand: ChatCommand = {
  name: 'unqueue',
  about: 'withdraw your last queued message',
  run: (_argument, { link, queue, output, signal }) => takeBack(link, queue, output, signal),
};

export const nowCommand: ChatCommand = {
  name: 'now',
  argument: 'TEXT',
  about: 'cancel the run and send a message',
  needs: 'a message',
  run: (text, seat) => seat.send(text, 'now'),
};
