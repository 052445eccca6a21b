import { describe, expect, it } from 'vitest';
import { type ChatInput, parseChatInput } from './chat-input.ts';

describe('parseChatInput', () => {
  it.each<[string, ChatInput]>([
    ['', { kind: 'nothing' }],
    ['  \n ', { kind: 'nothing' }],
    ['hello', { kind: 'message', text: 'hello', delivery: 'steer' }],
    ['/queue then  test', { kind: 'message', text: 'then  test', delivery: 'queue' }],
    ['/now stop', { kind: 'message', text: 'stop', delivery: 'now' }],
    ['/now', { kind: 'mistake', reason: '/now needs a message' }],
    ['/fork', { kind: 'fork', entry: '' }],
    ['/fork e1', { kind: 'fork', entry: 'e1' }],
    ['/title a name', { kind: 'title', text: 'a name' }],
    ['/title', { kind: 'mistake', reason: '/title needs a text' }],
    ['/cost', { kind: 'cost' }],
    ['/help', { kind: 'help' }],
    ['/new ', { kind: 'new' }],
    ['/sessions', { kind: 'sessions' }],
    ['/session abc', { kind: 'session', id: 'abc' }],
    ['/session', { kind: 'mistake', reason: '/session needs an id, see /sessions' }],
    ['/model', { kind: 'model', name: '' }],
    ['/model a/b', { kind: 'model', name: 'a/b' }],
    [
      '/model foo',
      { kind: 'mistake', reason: '/model needs PROVIDER/MODEL, as in offline/rules, not "foo"' },
    ],
    ['/unqueue', { kind: 'unqueue' }],
    ['/thinking', { kind: 'thinking' }],
    ['/quit', { kind: 'quit' }],
    ['/quti', { kind: 'mistake', reason: 'unknown command /quti (did you mean /quit?)' }],
    ['/etc/passwd is a file', { kind: 'message', text: '/etc/passwd is a file', delivery: 'steer' }],
    ['/help\nme with this paste', { kind: 'message', text: '/help\nme with this paste', delivery: 'steer' }],
  ])('%j', (text, input) => {
    expect(parseChatInput(text)).toEqual(input);
  });
});
