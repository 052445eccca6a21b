import { existsSync } from 'node:fs';
import type { ToolHostCall } from '@bulkhead/protocol';
import { describe, expect, it } from 'vitest';
import { testCall } from '../testing/test-call.ts';
import { createShellHost } from './create-shell-host.ts';

const never = new AbortController().signal;
const outputs = '/nowhere/outputs';

const unstarted = () =>
  createShellHost({ begin: () => expect.unreachable('nothing is started'), outputs, home: '/nowhere' });

describe('the plan of what is no command [A5]', () => {
  const foreign: ToolHostCall = {
    ...testCall('bash', { command: 'true' }),
    tool: 'zsh',
    parsed: { arguments: { command: 'true' }, effect: 'once', paths: [], command: 'true' },
  };
  it.each([
    ['a tool of another host', testCall('ls', {})],
    ['a call that no tool of the product has parsed', foreign],
  ])('fails where the call would: %s', async (_what, call) => {
    const result = await unstarted().execute(call, () => undefined, never);
    const plan = await unstarted().plan(call, never);
    expect(result).toMatchObject({ isError: true, text: expect.stringContaining('no shell tool') });
    expect(plan).toEqual({ text: result.text, isError: true, changes: [] });
    expect(existsSync(outputs)).toBe(false);
  });

  it('has no file whose state tells whether the command ran [T8]', async () => {
    const where = { actionId: 'a', sessionId: 's', workingFolder: '/', paths: ['a', '.'] };
    expect(await unstarted().inspect(where, never)).toEqual([
      { path: 'a', hash: undefined },
      { path: '.', hash: undefined },
    ]);
  });
});
