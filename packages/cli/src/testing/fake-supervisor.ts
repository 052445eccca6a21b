/**
 * A program that starts as a supervisor does, with a scripted engine behind it, for tests of
 * starting and stopping. `FAKE_SUPERVISOR` selects how the start goes; requests select how the run
 * goes.
 */
import { closeSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { homeLayout } from '@bulkhead/protocol';
import { type Script, ScriptedEngine } from './scripted-engine.ts';

const REPORT_FD = 3;
const layout = homeLayout(process.env['BULKHEAD_HOME'] ?? '');
const PID_FILE = `${layout.lock}.pid`;
const isolated = process.argv.includes('--isolated');

function report(value: Record<string, unknown>): void {
  writeSync(REPORT_FD, `${JSON.stringify(value)}\n`);
}

const answer: Script = async (run) => {
  run.start();
  const { content } = run.request;
  if (content === 'wait') await new Promise((resolve) => run.cancelled.addEventListener('abort', resolve));
  if (content === 'ignore everything') await sleep(60_000);
  if (content === 'a lot') for (let line = 0; line < 20_000; line++) run.emit({ type: 'save_point' });
  if (run.cancelled.aborted) {
    run.settle({ outcome: 'aborted' });
    return;
  }
  run.say('from ', 'the ', 'process');
  run.settle({ answer: `from the process${isolated ? ', isolated' : ''}` });
};

async function serve(): Promise<void> {
  if (!takeLock()) {
    report({
      type: 'failed',
      code: 'already_running',
      message: `an engine runs on ${layout.root}`,
      fix: 'Use it.',
    });
    return;
  }
  await sleep(Number(process.env['FAKE_DELAY'] ?? 0));
  const engine = new ScriptedEngine(layout, answer);
  engine.supervisorPid = process.pid;
  engine.notices = [process.env['FAKE_NOTICE'] ?? ''].filter((notice) => notice !== '');
  const end = () => {
    rmSync(PID_FILE, { force: true });
    process.exit(0);
  };
  engine.onStop = end;
  process.on('SIGTERM', end);
  await engine.listen();
  if (isolated) process.stdin.on('end', end).resume();
  report({ type: 'progress', text: 'opening the database' });
  report({ type: 'ready', engine_pid: process.pid, http: isolated ? '' : 'http://127.0.0.1:7411' });
  closeSync(REPORT_FD);
}

function takeLock(): boolean {
  mkdirSync(layout.run, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(PID_FILE, `${process.pid}\n`, { flag: 'wx' });
    // Open as long as this process lives, like a lock: its holder is the owner of the home.
    openSync(layout.lock, 'a', 0o600);
    return true;
  } catch {
    return false;
  }
}

async function main(): Promise<void> {
  switch (process.env['FAKE_SUPERVISOR']) {
    case 'failed':
      report({
        type: 'failed',
        code: 'config_invalid',
        message: 'config.yaml line 3: unknown key "modles"',
        fix: 'Say "models".',
      });
      return;
    case 'hangs':
      await sleep(60_000);
      return;
    default:
      await serve();
  }
}

await main();
