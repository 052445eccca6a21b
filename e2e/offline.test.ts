import { beforeEach, expect, it } from 'vitest';
import { useSharedStage } from './support/use-stage.ts';

const stage = useSharedStage();

const LABEL = '[offline model: rule-based, no language understanding]';

beforeEach(() => {
  stage().write('small.txt', 'x\n');
  stage().write('large.txt', 'first line\nsecond line\nTODO third\n');
  stage().write('src/deep.ts', '// TODO\n');
});

async function ask(prompt: string): Promise<string> {
  const { code, stdout } = await stage().cli(['run', prompt]);
  expect(code).toBe(0);
  const [label, ...answer] = stdout.split('\n');
  expect(label).toBe(LABEL);
  return answer.join('\n');
}

it('lists the files and names the largest, without any key [D1]', async () => {
  const answer = await ask('list the files here and tell me which is largest');
  expect(answer).toContain('small.txt');
  expect(answer).toMatch(/largest.* large\.txt/);
});

it('carries out chains: looks for a file and shows it, writes, edits and runs [D1]', async () => {
  expect(await ask('which file here is largest? show its first lines')).toContain('second line');
  expect(await ask('create note.txt with hello and then show it')).toContain('hello');
  expect(stage().read('note.txt').trimEnd()).toBe('hello');
  await ask('replace hello with goodbye in note.txt');
  expect(stage().read('note.txt').trimEnd()).toBe('goodbye');
  expect(await ask('run `wc -l large.txt`')).toContain('3 large.txt');
  const found = await ask('search for TODO');
  expect(found).toContain('large.txt');
  expect(found).toContain('deep.ts');
});

it('takes its prompt from standard input [I1]', async () => {
  const { code, stdout } = await stage().cli(['run', '-'], { stdin: 'list the files here' });
  expect(code).toBe(0);
  expect(stdout).toContain('large.txt');
});
