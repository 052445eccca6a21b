import { describe, expect, it } from 'vitest';
import { grammarProblems } from './support/event-grammar.ts';
import { ofType, settledOf } from './support/event-lines.ts';
import { useStage } from './support/use-stage.ts';
import { historyProblems, offeredTools, sentMessages, toolChoice } from './support/wire-history.ts';

const stage = useStage();

const ls = { name: 'ls', args: {} };

describe('the first request of a session', () => {
  it('stays small: the tools below 600 tokens, the whole below 1,200 [B6]', async () => {
    const server = await stage().model([{ text: 'hi' }]);
    await stage().cli(['run', 'say hi']);
    const request = server.requests[0] ?? noRequest();
    const { messages, tools } = request.body as { messages: unknown; tools: unknown };
    // These very definitions run to 4.4 characters a token (o200k), prose to more; the bench counts exactly.
    const tokens = (part: unknown) => JSON.stringify(part).length / 4.2;
    expect(tokens(tools)).toBeLessThan(600);
    expect(tokens(messages) + tokens(tools)).toBeLessThan(1_200);
  });
});

describe('the limit of rounds', () => {
  it.each(['openai-compatible', 'anthropic'] as const)(
    'ends a model that always calls, with a last answer without tools: exit 5 (%s) [L6]',
    async (provider) => {
      const server = await stage().model(
        (request) => (isForbidden(toolChoice(request)) ? { text: 'what I have' } : { toolCalls: [ls] }),
        { provider },
      );
      const env = { ANTHROPIC_API_KEY: 'sk-ant-e2e-not-a-real-key' };
      const { code, events } = await stage().cli(['run', '--json', '--max-rounds', '2', 'go'], { env });
      expect(code).toBe(5);
      expect(grammarProblems(events)).toEqual([]);
      expect(settledOf(events)).toMatchObject({ outcome: 'limit', answer: 'what I have' });
      expect(server.requests.map((request) => isForbidden(toolChoice(request)))).toEqual([
        false,
        false,
        true,
      ]);
      // The same tools as before: another list would cost the provider's prefix cache.
      expect(offeredTools(server.requests[2] ?? noRequest())).toEqual(
        offeredTools(server.requests[0] ?? noRequest()),
      );
      expect(historyProblems(sentMessages(server.requests[2] ?? noRequest()))).toEqual([]);
    },
  );

  it('holds for a model that calls even then; the session can be used on [L6]', async () => {
    const server = await stage().model(({ bodyText }) =>
      bodyText.includes('and now') ? { text: 'better' } : { toolCalls: [ls] },
    );
    const { code, events } = await stage().cli(['run', '--json', '--max-rounds', '2', 'go']);
    expect(code).toBe(5);
    expect(grammarProblems(events)).toEqual([]);
    expect(server.requests).toHaveLength(3);
    expect(ofType(events, 'action_started')).toHaveLength(2);
    const { session } = settledOf(events);
    expect(await stage().cli(['run', '--session', session, 'and now'])).toMatchObject({
      code: 0,
      stdout: 'better\n',
    });
    expect(historyProblems(sentMessages(server.requests.at(-1) ?? noRequest()))).toEqual([]);
  });

  it('says so in one line', async () => {
    await stage().model((request) =>
      isForbidden(toolChoice(request)) ? { text: 'short' } : { toolCalls: [ls] },
    );
    const { code, stdout, errors } = await stage().cli(['run', '--max-rounds', '1', 'go']);
    expect({ code, stdout }).toEqual({ code: 5, stdout: 'short\n' });
    expect(errors.filter((line) => line.startsWith('bulkhead:'))).toEqual([expect.stringContaining('limit')]);
  });
});

describe('tools that are loaded on demand', () => {
  it('begin with load_tools alone, and stay for the session, after a restart too [L3]', async () => {
    stage().write('a.txt', 'alpha\n');
    const read = { name: 'read', args: { path: 'a.txt' } };
    const server = await stage().model(
      [
        { toolCalls: [read] },
        { toolCalls: [{ name: 'load_tools', args: { groups: ['files', 'nonsense'] } }] },
        { toolCalls: [read] },
        { text: 'read it' },
        { toolCalls: [read] },
        { text: 'read it again' },
      ],
      { config: 'tools: { initial: none }' },
    );
    const first = await stage().cli(['run', '--json', 'go']);
    expect(first.code).toBe(0);
    expect(grammarProblems(first.events)).toEqual([]);
    const [early, loaded, late] = ofType(first.events, 'tool_output');
    expect(early).toMatchObject({ tool: 'read', isError: true });
    expect(loaded?.text).toContain('nonsense');
    expect(loaded?.text).toContain('shell');
    expect(late).toMatchObject({ isError: false, text: expect.stringContaining('alpha') });
    expect(offeredTools(server.requests[0] ?? noRequest())).toEqual(['load_tools']);
    const files = ['load_tools', 'read', 'write', 'edit', 'ls', 'find', 'grep'];
    expect(offeredTools(server.requests[2] ?? noRequest())).toEqual(files);

    await stage().cli(['restart']);
    const { session } = settledOf(first.events);
    const second = await stage().cli(['run', '--json', '--session', session, 'again']);
    expect(second.code).toBe(0);
    expect(offeredTools(server.requests[4] ?? noRequest())).toEqual(files);
    expect(ofType(second.events, 'tool_output')).toMatchObject([{ isError: false }]);
  });
});

/** "Call nothing", in the words of either wire format. */
function isForbidden(choice: unknown): boolean {
  return choice === 'none' || JSON.stringify(choice) === '{"type":"none"}';
}

function noRequest(): never {
  throw new Error('there was no such request');
}
