import { existsSync } from 'node:fs';
import type { ToolHostCall } from '@bulkhead/protocol';
import { describe, expect, it } from 'vitest';
import { createShellHost } from './create-shell-host.ts';

const never = new AbortController().signal;
const outputs = '/nowhere/outputs';

function callOf(args: unknown, tool = 'bash'): ToolHostCall {
  const canonicalArguments = JSON.stringify(args);
  return { actionId: 'a', sessionId: 's', tool, canonicalArguments, workingFolder: '/' };
}

const unstarted = () =>
  createShellHost({ begin: () => expect.unreachable('nothing is started'), outputs, home: '/nowhere' });

describe('the plan of what is no command [A5]', () => {
  it.each([
    ['bash', {}],
    ['bash', { command: '' }],
    ['zsh', { command: 'true' }],
  ])('fails where the call would: %s %j', async (tool, args) => {
    const result = await unstarted().execute(callOf(args, tool), () => undefined, never);
    const plan = await unstarted().plan(callOf(args, tool), never);
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
