import { describe, expect, it } from 'vitest';
import { CHAT_COMMANDS } from './commands/chat-commands.ts';
import { parseChatInput } from './ui/terminal-chat.ts';

function parsed(text: string): unknown {
  const input = parseChatInput(text, CHAT_COMMANDS);
  return input.kind === 'command' ? [input.command.name, input.argument] : input;
}

describe('parseChatInput', () => {
  it.each([
    ['/queue then  test', ['queue', 'then  test']],
    ['/now stop', ['now', 'stop']],
    ['/fork', ['fork', '']],
    ['/fork e1', ['fork', 'e1']],
    ['/title a name', ['title', 'a name']],
    ['/cost', ['cost', '']],
    ['/help', ['help', '']],
    ['/?', ['help', '']],
    ['/new ', ['new', '']],
    ['/sessions', ['sessions', '']],
    ['/session abc', ['session', 'abc']],
    ['/model', ['model', '']],
    ['/model\ta/b', ['model', 'a/b']],
    ['/unqueue', ['unqueue', '']],
    ['/thinking', ['thinking', '']],
    ['/exit', ['quit', '']],
    ['/compact keep the API', ['compact', 'keep the API']],
    ['/pin', ['pin', '']],
    ['/memory', ['memory', '']],
  ])('takes %j for a command', (text, command) => {
    expect(parsed(text)).toEqual(command);
  });

  it.each([['hello'], ['/etc/passwd is a file'], ['/help\nme with this paste']])(
    'takes %j for a message',
    (text) => {
      expect(parsed(text)).toEqual({ kind: 'message', text });
    },
  );

  it.each([
    ['/now', '/now needs a message'],
    ['/title', '/title needs a text'],
    ['/session', '/session needs an id, see /sessions'],
    ['/unpin', '/unpin needs the number of a rule, see /pins'],
  ])('tells what is wrong with %j', (text, reason) => {
    expect(parsed(text)).toEqual({ kind: 'mistake', reason });
  });

  it.each([
    ['/quti', 'unknown command /quti (did you mean /quit?)'],
    [' /fix-2 a  b ', 'unknown command /fix-2, see /help; templates: /skills'],
  ])('takes %j for a template, if there is one of that name', (text, otherwise) => {
    expect(parsed(text)).toEqual({ kind: 'template', entry: text.trim(), otherwise });
  });

  it.each([[''], ['  \n ']])('takes %j for nothing', (text) => {
    expect(parsed(text)).toEqual({ kind: 'nothing' });
  });

  it('knows commands whose names and aliases differ, in the form that it recognises', () => {
    const words = CHAT_COMMANDS.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
    expect(new Set(words).size).toBe(words.length);
    for (const word of words) expect(word).toMatch(/^([a-z]+|\?)$/);
  });
});
