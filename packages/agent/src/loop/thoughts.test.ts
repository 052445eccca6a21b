import { ThoughtKind } from '@bulkhead/protocol/chat';
import { describe, expect, it } from 'vitest';
import { assistantMessage, toolMessage, userMessage } from '../testing/messages.ts';
import { thoughtsOf } from './thoughts.ts';

describe('thoughtsOf', () => {
  it('tells of text before calls and of every call, meta-tools too [L5]', () => {
    const thoughts = thoughtsOf([
      userMessage('q'),
      assistantMessage(' I look. ', { id: 'a', name: 'read', json: '{"path":"x.go"}' }),
      toolMessage('a', 'read', 'x'.repeat(450)),
      assistantMessage('Now more.', '', { id: 'a', name: 'load_tools', json: '{"groups":["git","web"]}' }),
      toolMessage('a', 'load_tools', 'Loaded.'),
      assistantMessage({ id: 'b', name: 'bash' }),
      toolMessage('b', 'bash', 'exit code 2\nmore', true),
      assistantMessage('The answer.'),
    ]);
    expect(
      thoughts.map(({ kind, summary, toolName, success }) => [kind, summary, toolName, success]),
    ).toEqual([
      [ThoughtKind.REASONING, 'I look.', '', false],
      [ThoughtKind.TOOL_CALL, 'read -> 450 bytes of Go source', 'read', true],
      [ThoughtKind.REASONING, 'Now more.', '', false],
      [ThoughtKind.TOOL_CALL, 'load_tools -> git, web', 'load_tools', true],
      [ThoughtKind.TOOL_CALL, 'bash -> failed: exit code 2', 'bash', false],
    ]);
  });

  it('has no thought for an answer, and none for an empty run [L5]', () => {
    expect(thoughtsOf([userMessage('q'), assistantMessage('hi')])).toEqual([]);
    expect(thoughtsOf([])).toEqual([]);
  });

  it('counts a call without a result as not successful [L5]', () => {
    const [thought] = thoughtsOf([assistantMessage({ id: 'a', name: 'ls' })]);
    expect(thought).toMatchObject({ summary: 'ls -> no result', success: false });
  });

  it('shortens long reasoning', () => {
    const [thought] = thoughtsOf([assistantMessage('x'.repeat(5_000), { id: 'a', name: 'ls' })]);
    expect(thought?.summary).toHaveLength(2_001);
  });
});
