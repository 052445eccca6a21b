import { nearest } from '../arguments/nearest.ts';
import { isModelName } from '../conversation/model-name.ts';

/** What a person entered at the prompt. */
export type ChatInput =
  | { readonly kind: 'nothing' }
  /** `steer` joins the run that goes on, `queue` comes after it, `now` ends it; without one, each starts a run. */
  | { readonly kind: 'message'; readonly text: string; readonly delivery: 'steer' | 'queue' | 'now' }
  | { readonly kind: 'help' }
  | { readonly kind: 'new' }
  | { readonly kind: 'sessions' }
  | { readonly kind: 'session'; readonly id: string }
  /** Without a name: asks which one is used. */
  | { readonly kind: 'model'; readonly name: string }
  | { readonly kind: 'thinking' }
  /** Without an entry: at the last one. */
  | { readonly kind: 'fork'; readonly entry: string }
  | { readonly kind: 'title'; readonly text: string }
  | { readonly kind: 'cost' }
  /** Takes back what was entered last and still waits. */
  | { readonly kind: 'unqueue' }
  /** Takes back what the last answer changed. */
  | { readonly kind: 'undo' }
  | { readonly kind: 'quit' }
  | { readonly kind: 'mistake'; readonly reason: string };

export const CHAT_COMMANDS: readonly (readonly [string, string])[] = [
  ['/help', 'show this'],
  ['/queue TEXT', 'send a message that is taken up after the run; Alt-Enter does too'],
  ['/unqueue', 'take back the last message of yours that still waits'],
  ['/now TEXT', 'cancel the run and send a message'],
  ['/new', 'start a new session'],
  ['/fork [ENTRY]', 'go on in a copy of this session, from here or from an earlier entry'],
  ['/title TEXT', 'name this session'],
  ['/undo', 'take back what the last answer changed in the folder; asks first'],
  ['/cost', 'what this session took so far'],
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
  if (!/^\/[a-z?]+(\s|$)/.test(trimmed) || trimmed.includes('\n')) {
    return { kind: 'message', text, delivery: 'steer' };
  }
  const [word = '', argument = ''] = trimmed.split(/\s+/);
  const rest = trimmed.slice(word.length).trim();
  switch (word) {
    case '/help':
    case '/?':
      return { kind: 'help' };
    case '/queue':
    case '/now':
      return rest === ''
        ? { kind: 'mistake', reason: `${word} needs a message` }
        : { kind: 'message', text: rest, delivery: word === '/now' ? 'now' : 'queue' };
    case '/fork':
      return { kind: 'fork', entry: argument };
    case '/title':
      return rest === '' ? { kind: 'mistake', reason: '/title needs a text' } : { kind: 'title', text: rest };
    case '/cost':
      return { kind: 'cost' };
    case '/new':
      return { kind: 'new' };
    case '/sessions':
      return { kind: 'sessions' };
    case '/session':
      return argument === ''
        ? { kind: 'mistake', reason: '/session needs an id, see /sessions' }
        : { kind: 'session', id: argument };
    case '/model':
      return modelInput(argument);
    case '/unqueue':
      return { kind: 'unqueue' };
    case '/undo':
      return { kind: 'undo' };
    case '/thinking':
      return { kind: 'thinking' };
    case '/quit':
    case '/exit':
      return { kind: 'quit' };
    default:
      return { kind: 'mistake', reason: unknown(word) };
  }
}

function modelInput(name: string): ChatInput {
  if (name === '' || isModelName(name)) return { kind: 'model', name };
  return { kind: 'mistake', reason: `/model needs PROVIDER/MODEL, as in offline/rules, not "${name}"` };
}

function unknown(word: string): string {
  const names = CHAT_COMMANDS.map(([usage]) => usage.split(' ')[0] ?? usage);
  const near = nearest(word, names);
  return `unknown command ${word}${near === undefined ? ', see /help' : ` (did you mean ${near}?)`}`;
}
