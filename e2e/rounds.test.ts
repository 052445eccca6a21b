import { describe, expect, it } from 'vitest';
import { countTokens } from './support/count-tokens.ts';
import { grammarProblems } from './support/event-grammar.ts';
import { ofType, settledOf } from './support/event-lines.ts';
import { useSharedStage } from './support/use-stage.ts';
import { historyProblems, offeredTools, sentMessages, toolChoice } from './support/wire-history.ts';

const stage = useSharedStage();

const ls = { name: 'ls', args: {} };

describe('the first request of a session', () => {
  it('stays small: the tools below 600 tokens, the whole below 1,200 [B6]', async () => {
    const server = await stage().model([{ text: 'hi' }]);
    await stage().cli(['run', 'say hi']);
    const request = server.requests[0] ?? noRequest();
    const { messages, tools } = request.body as { messages: unknown; tools: unknown };
    const [ofMessages = 0, ofTools = 0] = await countTokens(
      [messages, tools].map((part) => JSON.stringify(part)),
    );
    expect(ofTools).toBeGreaterThan(300);
    expect(ofTools).toBeLessThanOrEqual(600);
    process.stdout.write(`first request: ${ofMessages} + ${ofTools} tokens\n`);
    expect(ofMessages + ofTools).toBeLessThanOrEqual(1_200);
  });

  it('is shown by section before anything is sent, and with what the last call took after [C7] [K6]', async () => {
    await stage().model([
      {
        text: 'hi',
        usage: { input: 1_000, cached: 900, output: 5 },
      },
    ]);
    await stage().cli(['start', '--daemon']);
    const first = JSON.parse((await stage().cli(['context', '--json'])).stdout);
    const names = first.sections.map(({ part, name }: { part: string; name: string }) => `${part}: ${name}`);
    expect(names).toEqual(expect.arrayContaining(['tools: files', 'system: guardrails', 'turn: date']));
    expect(first).toMatchObject({ lastCall: null, vocabulary: 'o200k_base' });
    expect(first.total).toBeLessThanOrEqual(1_200);
    const { events } = await stage().cli(['run', '--json', 'say hi']);
    const { session } = settledOf(events);
    const { stdout } = await stage().cli(['context', '--session', session]);
    expect(stdout).toContain('messages of the person');
    expect(stdout).toMatch(/last call: 1,000 in, of which 900 cached \(90\.0 %\) and 100 fresh/);
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
  it('begin with the meta-tools alone, and stay for the session, after a restart too [L3]', async () => {
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
    expect(offeredTools(server.requests[0] ?? noRequest())).toEqual(['load_tools', 'load_skills']);
    const files = ['load_tools', 'load_skills', 'read', 'write', 'edit', 'ls', 'find', 'grep'];
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
