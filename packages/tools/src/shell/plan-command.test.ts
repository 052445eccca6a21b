import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolHostCall } from '@bulkhead/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TemporaryFolder } from '../testing/temporary-folder.ts';
import { createShellHost } from './create-shell-host.ts';

let folder: TemporaryFolder;
let outputs: string;

beforeEach(() => {
  folder = new TemporaryFolder();
  outputs = join(folder.path, 'outputs');
});

afterEach(() => folder[Symbol.dispose]());

function callOf(args: unknown): ToolHostCall {
  const canonicalArguments = JSON.stringify(args);
  return { actionId: 'a', sessionId: 's', tool: 'bash', canonicalArguments, workingFolder: folder.path };
}

describe('the plan of a command [A5]', () => {
  const never = new AbortController().signal;
  const unstarted = () => {
    const launch = () => expect.unreachable('a plan starts nothing');
    return createShellHost({ launch, outputs, home: '/nowhere' });
  };

  it('tells command and folder and that its effects can not be told; nothing is started', async () => {
    const plan = await unstarted().plan(callOf({ command: 'rm -r x', timeout_seconds: 5 }), never);
    expect(plan).toEqual({
      text: `would run in ${folder.path}, for at most 5 s:\nrm -r x\n[what a command changes can not be told before it runs; it was not run]`,
      isError: false,
      changes: [],
    });
    expect(existsSync(outputs)).toBe(false);
  });

  it.each([
    ['bash', {}],
    ['bash', { command: '' }],
    ['zsh', { command: 'true' }],
  ])('fails where the call would: %s %j', async (tool, args) => {
    const host = unstarted();
    const result = await host.execute({ ...callOf(args), tool }, () => undefined, never);
    const plan = await host.plan({ ...callOf(args), tool }, never);
    expect(plan).toEqual({ text: result.text, isError: true, changes: [] });
  });

  it('has no file whose state tells whether the command ran [T8]', async () => {
    const where = { sessionId: 's', workingFolder: folder.path, paths: ['a', '.'] };
    expect(await unstarted().inspect(where, never)).toEqual([
      { path: 'a', hash: undefined },
      { path: '.', hash: undefined },
    ]);
  });
});
