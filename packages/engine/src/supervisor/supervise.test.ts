import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { supervise } from './supervise.ts';

/** A stand-in engine: a real process that says ready, then ends as told. */
function engine(script: string) {
  return spawn(process.execPath, ['-e', `const fs=require('fs');${script}`], {
    stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
  });
}

const READY = `fs.writeSync(3,'{"type":"ready","engine_pid":1,"http":""}\\n');fs.closeSync(3);`;

function parts(scripts: string[], stop = new AbortController()) {
  const started: string[] = [];
  const lines: string[] = [];
  const reports: string[] = [];
  return {
    started,
    lines,
    reports,
    stop,
    run: () =>
      supervise({
        spawn: () => {
          const script = scripts[Math.min(started.length, scripts.length - 1)] ?? '';
          started.push(script);
          return engine(script);
        },
        report: { failed: () => {}, relay: (line) => reports.push(line) > 0 },
        clock: { now: () => 0, monotonic: () => 0 },
        stop: stop.signal,
        log: (line) => lines.push(line),
      }),
  };
}

describe('supervise', () => {
  it('starts the engine again when it exits with 75, and ends with it when it exits with 0 [P8]', async () => {
    const test = parts([`${READY}process.exit(75)`, `${READY}process.exit(75)`, `${READY}process.exit(0)`]);
    await expect(test.run()).resolves.toBe(0);
    expect(test.started).toHaveLength(3);
    expect(test.reports).toHaveLength(1);
  });

  it('gives up on an engine that crashes more than five times in a minute [P8]', async () => {
    const test = parts([`${READY}process.kill(process.pid,'SIGKILL')`]);
    await expect(test.run()).resolves.toBe(1);
    expect(test.started).toHaveLength(6);
    expect(test.lines.at(-1)).toContain('giving up');
  });

  it('does not repeat a first start that fails', async () => {
    const test = parts(['process.exit(3)']);
    await expect(test.run()).resolves.toBe(1);
    expect(test.started).toHaveLength(1);
  });

  it('passes a stop on and ends once the engine has ended [P8]', async () => {
    const test = parts([`process.on('SIGTERM',()=>process.exit(0));setInterval(()=>{},1000);${READY}`]);
    setTimeout(() => test.stop.abort(), 300);
    await expect(test.run()).resolves.toBe(0);
    expect(test.started).toHaveLength(1);
  });
});
