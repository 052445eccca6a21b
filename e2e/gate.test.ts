import type { ScriptedReply } from '@bulkhead/testkit';
import { describe, expect, it } from 'vitest';
import { grammarProblems } from './support/event-grammar.ts';
import { ofType, settledOf } from './support/event-lines.ts';
import { OFFLINE_TITLES, type Stage } from './support/stage.ts';
import { useStage } from './support/use-stage.ts';
import { historyProblems, sentMessages } from './support/wire-history.ts';

const stage = useStage();

const call = (name: string, args: object) => ({ name, args });

/** One cycle uses every core tool, and twice more than one at once; call ids repeat from round to round. */
function cycle(number: number): readonly ScriptedReply[] {
  const file = `notes-${number}.md`;
  return [
    { text: ['I look', ' around.'], toolCalls: [call('ls', {})] },
    { toolCalls: [call('write', { path: file, content: `one ${number}\ntwo\n` })] },
    { toolCalls: ['a.txt', 'b.txt', file].map((path) => call('read', { path })) },
    { toolCalls: [call('edit', { path: file, old_text: 'two', new_text: `TWO ${number}` })] },
    { toolCalls: [call('grep', { pattern: 'TWO' }), call('find', { pattern: '*.md' })] },
    { text: 'Now a command.', toolCalls: [call('bash', { command: `cat ${file} && echo ran >> runs.log` })] },
  ];
}

/** 24 rounds with tools and a last one without: all that a run may have. */
const ROUNDS: readonly ScriptedReply[] = [
  ...[1, 2, 3, 4].flatMap(cycle),
  { text: ['Done', ' with ', 'everything.'] },
];

function prepare(at: Stage): void {
  at.write('a.txt', 'alpha\n');
  at.write('b.txt', 'beta\n');
}

describe('25 rounds with every core tool', () => {
  it('run over chat completions with events in order [T6, L4, B2]', async () => {
    prepare(stage());
    const server = await stage().model(ROUNDS, { models: OFFLINE_TITLES });
    const { code, events, stderr } = await stage().cli(['run', '--json', 'do it all']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(grammarProblems(events)).toEqual([]);
    expect(ofType(events, 'turn_start')).toHaveLength(25);
    expect(settledOf(events)).toMatchObject({
      outcome: 'completed',
      answer: 'Done with everything.',
      rounds: 25,
    });

    const outputs = ofType(events, 'tool_output');
    expect(outputs).toHaveLength(36);
    expect(outputs.filter(({ isError }) => isError)).toEqual([]);
    expect(stage().read('runs.log')).toBe('ran\n'.repeat(4));
    expect(stage().read('notes-4.md')).toBe('one 4\nTWO 4\n');

    expect(server.requests).toHaveLength(25);
    for (const request of server.requests) expect(historyProblems(sentMessages(request))).toEqual([]);
    const last = server.requests.at(-1);
    if (last === undefined) throw new Error('no request');
    const results = sentMessages(last).flatMap((message) => message.results);
    expect(results).toHaveLength(36);
    expect(results.slice(2, 5).map(({ text }) => text.includes('alpha'))).toEqual([true, false, false]);
    expect(results[3]?.text).toContain('beta');
    expect(results[4]?.text).toContain('one 1');
    expect(results[8]?.text).toContain('TWO 1');
  });

  it('run over Anthropic messages, with thinking that goes back signed [T6, L4]', async () => {
    prepare(stage());
    const thoughtful = ROUNDS.map((reply, index) => ({
      ...reply,
      thinking: ['Let me ', `think ${index}.`],
      signature: `signed-${index}`,
    }));
    const server = await stage().model(thoughtful, { provider: 'anthropic', models: OFFLINE_TITLES });
    const env = { ANTHROPIC_API_KEY: 'sk-ant-e2e-not-a-real-key' };
    const { code, events, stderr } = await stage().cli(['run', '--json', 'do it all'], { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(grammarProblems(events)).toEqual([]);
    expect(settledOf(events)).toMatchObject({
      outcome: 'completed',
      answer: 'Done with everything.',
      rounds: 25,
    });
    expect(
      ofType(events, 'thinking_delta')
        .map(({ text }) => text)
        .join(''),
    ).toContain('Let me think 24.');
    expect(ofType(events, 'tool_output').filter(({ isError }) => isError)).toEqual([]);

    expect(server.requests).toHaveLength(25);
    expect(server.requests[0]?.headers['x-api-key']).toBe('sk-ant-e2e-not-a-real-key');
    for (const request of server.requests) expect(historyProblems(sentMessages(request))).toEqual([]);
    const last = server.requests.at(-1);
    if (last === undefined) throw new Error('no request');
    const thinking = sentMessages(last).flatMap((message) => message.thinking);
    expect(thinking.at(-1)).toEqual({ text: 'Let me think 23.', signature: 'signed-23' });
  });
});
