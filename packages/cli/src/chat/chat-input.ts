import { nearest } from '../arguments/nearest.ts';
import type { ChatCommand } from './commands/chat-command.ts';

/** A command as far as needed to recognize it. */
type CommandWords = Pick<ChatCommand, 'name' | 'aliases' | 'needs'>;

/** An entry of a person at the prompt. */
export type ChatInput<Command = ChatCommand> =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'message'; readonly text: string }
  | { readonly kind: 'command'; readonly command: Command; readonly argument: string }
  /**
   * `/NAME words` that is not a command: the template of that name, if there is one, expands it.
   */
  | { readonly kind: 'template'; readonly entry: string; readonly otherwise: string }
  | { readonly kind: 'mistake'; readonly reason: string };

/** @param text one entry; pasted text of several lines is one entry and always a message */
export function parseChatInput<Command extends CommandWords>(
  text: string,
  commands: readonly Command[],
): ChatInput<Command> {
  const trimmed = text.trim();
  if (trimmed === '') return { kind: 'nothing' };
  if (!/^\/([a-z0-9-]+|\?)(\s|$)/.test(trimmed) || trimmed.includes('\n')) return { kind: 'message', text };
  const word = trimmed.split(/\s/, 1)[0] ?? trimmed;
  const argument = trimmed.slice(word.length).trim();
  const command = commands.find(({ name, aliases = [] }) => [name, ...aliases].includes(word.slice(1)));
  if (command === undefined) return { kind: 'template', entry: trimmed, otherwise: unknown(word, commands) };
  if (command.needs !== undefined && argument === '') {
    return { kind: 'mistake', reason: `${word} needs ${command.needs}` };
  }
  return { kind: 'command', command, argument };
}

function unknown(word: string, commands: readonly CommandWords[]): string {
  const names = commands.map(({ name }) => `/${name}`);
  const near = nearest(word, names);
  return `unknown command ${word}${near === undefined ? ', see /help; templates: /skills' : ` (did you mean ${near}?)`}`;
}
