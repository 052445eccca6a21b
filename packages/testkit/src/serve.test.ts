import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { parseScript } from './parse-script.ts';

const ENTRY = new URL('./serve.ts', import.meta.url).pathname;

it('serves a script file as a process of its own and ends on SIGTERM', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bulkhead-serve-'));
  const file = join(folder, 'script.json');
  await writeFile(file, JSON.stringify([{ text: 'from a process' }]));
  const child = spawn(process.execPath, [ENTRY, '--script', file], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = await once(createInterface({ input: child.stdout }), 'line');
    const { url } = JSON.parse(String(line));
    const response = await fetch(`${url}/v1/chat/completions`, { method: 'POST', body: '{}' });
    expect(await response.text()).toContain('from a process');
  } finally {
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    await rm(folder, { recursive: true });
    expect(code).toBe(0);
  }
});

it('refuses a script with a field that no reply has', () => {
  expect(() => parseScript('[{"txet":"a"}]')).toThrow('txet');
  expect(() => parseScript('{"reply":[]}')).toThrow('replies');
  expect(parseScript('{"replies":[{"text":"a"}],"atEnd":"repeat-last"}')).toEqual({
    replies: [{ text: 'a' }],
    atEnd: 'repeat-last',
  });
});
