import { expect, it } from 'vitest';
import { runProgram } from './run-program.ts';

const OPTIONS = { cwd: '/', env: process.env };
/** Runs until the process has used 200 ms of processor time, however long that takes. */
const BUSY = 'while (process.cpuUsage().user + process.cpuUsage().system < 200_000);';

it('tells what a program and its children took of the processors', async () => {
  const again = `require('node:child_process').spawnSync(process.execPath, ['-e', ${JSON.stringify(BUSY)}]);`;
  const result = await runProgram(process.execPath, ['-e', `${again}${BUSY}console.log('done')`], OPTIONS);
  expect(result).toMatchObject({ code: 0, stdout: 'done\n', output: 'done\n' });
  expect(result.cpuSeconds).toBeGreaterThanOrEqual(0.39);
});

it('passes arguments as they are, and tells code and output', async () => {
  const args = ['-c', 'printf "%s|" "$@"; echo wrong >&2; exit 3', 'sh', 'a b', '$HOME', "'"];
  const result = await runProgram('/bin/sh', args, OPTIONS);
  expect(result).toMatchObject({ code: 3, stdout: "a b|$HOME|'|", output: expect.stringContaining('wrong') });
  expect((await runProgram('/no/such/program', [], OPTIONS)).code).toBe(127);
});

it('ends a program that takes too long, with its children', async () => {
  const result = await runProgram('/bin/sh', ['-c', 'sleep 600 & wait'], { ...OPTIONS, timeoutMs: 100 });
  expect(result).toMatchObject({ code: 128, output: expect.stringContaining('took longer than 0.1 s') });
});
