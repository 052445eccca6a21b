import { contextLines } from '../../context/context-lines.ts';
import type { ChatCommand } from './chat-command.ts';

export const contextCommand: ChatCommand = {
  name: 'context',
  about: 'show the tokens of the next request by section, cached and fresh',
  run: async (_argument, { link, sessionId, output, signal }) => {
    const context = await link.repeat((client) => client.call('readContext', { sessionId }, signal), signal);
    for (const line of contextLines(context, output)) output.line(line);
  },
};
