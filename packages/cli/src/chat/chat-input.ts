import { nearest } from '../arguments/nearest.ts';

/** What a person entered at the prompt. */
export type ChatInput =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'message'; readonly text: string }
  | { readonly kind: 'help' }
  | { readonly kind: 'new' }
  | { readonly kind: 'sessions' }
  | { readonly kind: 'session'; readonly id: string }
  /** Without a name: asks which one is used. */
  | { readonly kind: 'model'; readonly name: string }
  | { readonly kind: 'thinking' }
  | { readonly kind: 'quit' }
  | { readonly kind: 'mistake'; readonly reason: string };

export const CHAT_COMMANDS: readonly (readonly [string, string])[] = [
  ['/help', 'show this'],
  ['/new', 'start a new session'],
  ['/sessions', 'list the sessions'],
  ['/session ID', 'go on with another session'],
  ['/model [PROVIDER/MODEL]', 'show the model, or use another one from the next message on'],
  ['/thinking', "show or hide the model's thinking"],
  ['/quit', 'leave; Ctrl-D does too'],
];

/** @param text one entry; a pasted text of several lines is one entry, and always a message */
export function parseChatInput(text: string): ChatInput {
  const trimmed = text.trim();
  if (trimmed === '') return { kind: 'nothing' };
  if (!/^\/[a-z?]+(\s|$)/.test(trimmed) || trimmed.includes('\n')) return { kind: 'message', text };
  const [word = '', argument = ''] = trimmed.split(/\s+/);
  switch (word) {
    case '/help':
    case '/?':
      return { kind: 'help' };
    case '/new':
      return { kind: 'new' };
    case '/sessions':
      return { kind: 'sessions' };
    case '/session':
      return argument === ''
        ? { kind: 'mistake', reason: '/session needs an id, see /sessions' }
        : { kind: 'session', id: argument };
    case '/model':
      return { kind: 'model', name: argument };
    case '/thinking':
      return { kind: 'thinking' };
    case '/quit':
    case '/exit':
      return { kind: 'quit' };
    default:
      return { kind: 'mistake', reason: unknown(word) };
  }
}

function unknown(word: string): string {
  const names = CHAT_COMMANDS.map(([usage]) => usage.split(' ')[0] ?? usage);
  const near = nearest(word, names);
  return `unknown command ${word}${near === undefined ? ', see /help' : ` (did you mean ${near}?)`}`;
}
