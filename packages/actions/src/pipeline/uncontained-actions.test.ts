import type { ToolDescription } from '@bulkhead/protocol';
import { describe, expect, it } from 'vitest';
import { noLabels } from '../testing/no-stages.ts';
import { pipelineStage } from '../testing/pipeline-stage.ts';
import { GoingOn } from './going-on.ts';

const bash: ToolDescription = {
  name: 'bash',
  description: '',
  group: 'shell',
  readOnly: false,
  effect: 'once',
  inputSchema: {},
  parse: (input) => {
    const args = new Map(typeof input === 'object' && input !== null ? Object.entries(input) : []);
    const hosts = args.get('hosts');
    return {
      arguments: Object.fromEntries(args),
      effect: 'once',
      paths: [],
      command: String(args.get('command')),
      hosts: Array.isArray(hosts) ? hosts.map(String) : [],
      ...(args.get('background') === true ? { background: true } : {}),
    };
  },
};
const tools = { get: (name: string) => (name === 'bash' ? bash : undefined), names: () => ['bash'] };

describe('a command whose effects can not be held back', () => {
  it('asks a person where it names hosts, though the policy allows it [B2] [B4]', async () => {
    const test = pipelineStage({ tools });
    expect(await test.run('{"command":"curl x","hosts":["a.example"]}', 'deny', 'bash')).toMatchObject({
      refused: true,
    });
    expect(test.calls).toEqual([]);
    expect(test.events.find(({ type }) => type === 'shield_verdict')).toMatchObject({
      rule: 'commands/network',
    });
  });

  it('asks a person where commands have no box at all [B2] [D5]', async () => {
    const test = pipelineStage({
      tools,
      everyCommandAsks: () => ({ reason: 'no box here', rule: 'commands/unboxed' as const }),
    });
    expect(await test.run('{"command":"ls"}', 'deny', 'bash')).toMatchObject({ refused: true });
    const beforehand = await test.run('{"command":"ls"}', 'allow', 'bash');
    expect(beforehand.result.text).toContain('--approve allow does not answer for this');
    expect(test.calls).toEqual([]);
  });

  it('may be allowed beforehand where it has a box, and is announced as one that is not held back [B2]', async () => {
    const test = pipelineStage({
      tools,
      everyCommandAsks: (folder) =>
        folder === '/w' ? undefined : { reason: 'at once', rule: 'commands/live' as const },
    });
    expect(await test.run('{"command":"ls"}', 'allow', 'bash')).toMatchObject({ refused: false });
    expect(test.events.find(({ type }) => type === 'shield_verdict')).toMatchObject({
      rule: 'commands/live',
    });
  });

  it.each([
    ['live', true, 'unknown'],
    ['held back', false, 'nothing'],
  ])('that fails says what may be left of it: one that is %s', async (_what, isLive, left) => {
    const test = pipelineStage({
      tools,
      everyCommandAsks: () => (isLive ? { reason: 'at once', rule: 'commands/live' as const } : undefined),
      hostOf: () => ({
        transactions: true,
        execute: async () => ({ text: '[stopped: cancelled]', isError: true }),
        plan: async () => ({ text: 'would', isError: false, changes: [] }),
        inspect: async () => [],
      }),
    });
    const { completed } = await test.run('{"command":"make"}', 'allow', 'bash');
    expect(completed).toMatchObject({ success: false, summary: 'stopped: cancelled', left });
  });

  it('is the only one that is asked about', async () => {
    const test = pipelineStage({ tools });
    expect(await test.run('{"command":"ls"}', 'deny', 'bash')).toMatchObject({ refused: false });
  });

  it.each([
    ['that goes on', 'one', [true, true]],
    ['that ends', undefined, [true, false]],
  ])(
    'is known as the writer of its later changes from before its start: one %s [B2]',
    async (_what, goesOn, known) => {
      const goingOn = new GoingOn();
      const seen: boolean[] = [];
      const look = (id = '') => void seen.push(goingOn.actionOf(id) !== undefined);
      let begun: string | undefined;
      const test = pipelineStage({
        tools,
        labels: { ...noLabels, goingOn },
        hostOf: () => ({
          transactions: true,
          execute: async ({ actionId }) => {
            begun = actionId;
            look(begun);
            return { text: '', isError: false, ...(goesOn === undefined ? {} : { goesOn }) };
          },
          plan: async () => ({ text: 'would', isError: false, changes: [] }),
          inspect: async () => [],
        }),
      });
      expect(await test.run('{"command":"npm run dev"}', 'deny', 'bash')).toMatchObject({ refused: false });
      look(begun);
      expect(seen).toEqual(known);
    },
  );

  it.each([
    ['that ends', '{"command":"ls"}', ['begun', 'ended']],
    ['that goes on', '{"command":"ls","background":true}', ['begun']],
  ])(
    'and writes unseen is told to the labels before it begins and after: one %s [F2]',
    async (_what, args, told) => {
      const heard: string[] = [];
      const labels = {
        ...noLabels,
        liveBegun: () => void heard.push('begun'),
        liveEnded: async () => void heard.push('ended'),
      };
      const test = pipelineStage({
        tools,
        labels,
        everyCommandAsks: () => ({ reason: 'at once', rule: 'commands/live' as const }),
      });
      expect(await test.run(args, 'allow', 'bash')).toMatchObject({ refused: false });
      expect(heard).toEqual(told);
    },
  );
});
