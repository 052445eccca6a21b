import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { runShellProcess } from './run-shell-process.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('ends a command that ignores the request two seconds after it, and not before [T9] [FT78]', async () => {
  const child = spawn('/bin/sh', ['-c', 'trap "" TERM; echo ready; exec sleep 600'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const signals: unknown[] = [];
  const kill = child.kill.bind(child);
  vi.spyOn(child, 'kill').mockImplementation((signal) => {
    signals.push(signal);
    return kill(signal);
  });
  const ready = Promise.withResolvers<void>();
  const cancel = new AbortController();
  const running = runShellProcess(child, async () => ready.resolve(), 600_000, cancel.signal);
  await ready.promise;
  cancel.abort();
  await vi.advanceTimersByTimeAsync(1_999);
  expect(signals).toEqual(['SIGTERM']);
  const exited = once(child, 'exit');
  await vi.advanceTimersByTimeAsync(1);
  expect(signals).toEqual(['SIGTERM', 'SIGKILL']);
  await exited;
  expect(await running).toMatchObject({ signal: 'SIGKILL', stopped: 'cancelled' });
});
