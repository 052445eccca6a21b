import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { ApprovalMode } from '@bulkhead/protocol';
import { describe, expect, it } from 'vitest';
import { parseArguments } from '../arguments/parse-arguments.ts';
import { runCommand } from '../commands/run.ts';
import { approvalMode, readableFolder, runRequest } from './run-request.ts';

const request = (...argv: string[]) =>
  runRequest(parseArguments('bulkhead run', runCommand.options, argv), tmpdir(), false);

describe('runRequest [I1]', () => {
  it('takes words as one prompt and leaves the rest to the engine', () => {
    expect(request('list', 'the files')).toEqual({
      prompt: 'list the files',
      json: false,
      session: undefined,
      approve: 'deny',
      model: '',
      baseUrl: '',
      maxRounds: 0,
      last: false,
      workingFolder: tmpdir(),
      isolated: false,
      insecureNoSandbox: false,
      offTheRecord: false,
      dryRun: false,
      images: [],
    });
  });

  it('takes every option', () => {
    const argv = [
      '--json',
      '--approve',
      'allow',
      '--model',
      'openai/gpt',
      '--base-url',
      'http://127.0.0.1:1/v1',
    ];
    const more = ['--otr', '--dry-run', '--image', 'a.png', '--image', '/b.png'];
    expect(request(...argv, '--max-rounds', '3', '--cwd', '/', '--isolated', ...more, 'x')).toMatchObject({
      json: true,
      approve: 'allow',
      model: 'openai/gpt',
      baseUrl: 'http://127.0.0.1:1/v1',
      maxRounds: 3,
      workingFolder: '/',
      isolated: true,
      offTheRecord: true,
      dryRun: true,
      images: [`${tmpdir()}/a.png`, '/b.png'],
    });
  });

  it.each<[string[], string]>([
    [[], 'no prompt'],
    [['  '], 'no prompt'],
    [['--approve', 'maybe', 'x'], '--approve'],
    [['--model', 'gpt', 'x'], '--model'],
    [['--base-url', 'localhost', 'x'], '--base-url'],
    [['--base-url', 'file:///etc', 'x'], '--base-url'],
    [['--max-rounds', '0', 'x'], '--max-rounds'],
    [['--max-rounds', '1e3', 'x'], '--max-rounds'],
    [['--cwd', '/nowhere/at/all', 'x'], 'does not exist'],
    [['--cwd', '/etc/passwd', 'x'], 'is not a folder'],
    [['--cwd', '/', '--session', 's', 'x'], 'exclude each other'],
  ])('refuses %j', (argv, part) => {
    expect(() => request(...argv)).toThrow(
      expect.objectContaining({ code: 'usage', message: expect.stringContaining(part) }),
    );
  });

  it.runIf(process.getuid?.() !== 0)('refuses a folder that can not be read', () => {
    const folder = mkdtempSync(`${tmpdir()}/bulkhead-closed-`);
    try {
      chmodSync(folder, 0o000);
      expect(() => readableFolder(folder)).toThrow(
        expect.objectContaining({ code: 'usage', message: expect.stringContaining('can not be read') }),
      );
    } finally {
      chmodSync(folder, 0o700);
      rmSync(folder, { recursive: true });
    }
  });

  it.each<[string | undefined, boolean, boolean, ApprovalMode]>([
    [undefined, true, false, 'ask'],
    [undefined, false, false, 'deny'],
    [undefined, false, true, 'deny'],
    ['ask', true, false, 'ask'],
    ['ask', false, false, 'deny'],
    ['ask', false, true, 'ask'],
    ['deny', true, false, 'deny'],
    ['allow', false, false, 'allow'],
  ])('--approve %s with a person %s and --json %s', (option, person, json, mode) => {
    expect(approvalMode(option, person, json)).toBe(mode);
  });
});
