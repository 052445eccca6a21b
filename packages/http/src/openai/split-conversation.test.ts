import { describe, expect, it } from 'vitest';
import type { ConversationItem } from './conversation-item.ts';
import { splitConversation } from './split-conversation.ts';

const system = (text: string): ConversationItem => ({ kind: 'instructions', text });
const user = (text: string): ConversationItem => ({ kind: 'user', text, images: [] });
const said = (text: string, ...ids: readonly string[]): ConversationItem => ({
  kind: 'assistant',
  text,
  calls: ids.map((id) => ({ id, name: 'f', argumentsJson: '{}' })),
});
const result = (id: string, text: string): ConversationItem => ({ kind: 'result', id, text });

/** The parts of a request in short form. */
function split(...items: readonly ConversationItem[]) {
  const { history, prompt, results } = splitConversation(items, 'messages');
  return {
    history: history.map(({ role }) => {
      if (role.case !== 'assistant') return `${role.case}: ${role.value?.text}`;
      return `assistant: ${role.value.parts.map(({ part }) => (part.case === 'toolCall' ? `${part.value.name}(${part.value.callId})` : part.value?.text)).join(' ')}`;
    }),
    prompt: prompt?.text,
    results: results.map(({ id }) => id),
  };
}

describe('a conversation that a program sends', () => {
  it('is its last word, and what was said before [I4]', () => {
    expect(split(user('a'), said('b'), user('c'), user('d'))).toEqual({
      history: ['user: a', 'assistant: b'],
      prompt: 'c\n\nd',
      results: [],
    });
    expect(split(user('a'))).toEqual({ history: [], prompt: 'a', results: [] });
  });

  it('begins with the program’s system text, marked as its words and never as ours [I4]', () => {
    const { history, prompt } = split(system('be kind'), user('a'), system('be brief'));
    expect(history).toEqual([
      'user: The program through which this conversation comes says how it wants to be answered:\n\nbe kind\n\nbe brief',
    ]);
    expect(prompt).toBe('a');
  });

  it('may end with results, which are distinguished and follow their calls [I4]', () => {
    expect(split(user('a'), said('', 'x', 'y'), result('x', '1'), result('y', '2'))).toEqual({
      history: ['user: a', 'assistant: client_f(x) client_f(y)', 'tool: 1', 'tool: 2'],
      prompt: undefined,
      results: ['x', 'y'],
    });
  });

  it('is one message of the assistant for what it said in a row [I4]', () => {
    expect(
      split(user('a'), said('b'), said('', 'x'), said('', 'y'), result('x', '1'), result('y', '2')).history,
    ).toEqual(['user: a', 'assistant: b client_f(x) client_f(y)', 'tool: 1', 'tool: 2']);
  });

  it('turns a result without a call into text, and keeps one result per call [I4]', () => {
    expect(split(result('x', '1'), user('a')).history).toEqual(['user: The call x gave:\n1']);
    expect(split(said('', 'x'), result('x', '1'), result('x', '2'), user('a')).history).toEqual([
      'assistant: client_f(x)',
      'tool: 1',
      'user: The call x gave:\n2',
    ]);
    expect(split(said(''), user('a')).history).toEqual([]);
  });

  it('that waits for nothing is refused [I4]', () => {
    for (const items of [[], [system('x')], [user('a'), said('b')]]) {
      expect(() => splitConversation(items, 'messages')).toThrow(expect.objectContaining({ code: 'usage' }));
    }
  });
});
