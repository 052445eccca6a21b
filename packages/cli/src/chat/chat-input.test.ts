import { describe, expect, it } from 'vitest';
import { type ChatInput, parseChatInput } from './chat-input.ts';

describe('parseChatInput', () => {
  it.each<[string, ChatInput]>([
    ['', { kind: 'nothing' }],
    ['  \n ', { kind: 'nothing' }],
    ['hello', { kind: 'message', text: 'hello' }],
    ['/help', { kind: 'help' }],
    ['/new ', { kind: 'new' }],
    ['/sessions', { kind: 'sessions' }],
    ['/session abc', { kind: 'session', id: 'abc' }],
    ['/session', { kind: 'mistake', reason: '/session needs an id, see /sessions' }],
    ['/model', { kind: 'model', name: '' }],
    ['/model a/b', { kind: 'model', name: 'a/b' }],
    ['/thinking', { kind: 'thinking' }],
    ['/quit', { kind: 'quit' }],
    ['/quti', { kind: 'mistake', reason: 'unknown command /quti (did you mean /quit?)' }],
    ['/etc/passwd is a file', { kind: 'message', text: '/etc/passwd is a file' }],
    ['/help\nme with this paste', { kind: 'message', text: '/help\nme with this paste' }],
  ])('%j', (text, input) => {
    expect(parseChatInput(text)).toEqual(input);
  });
});
