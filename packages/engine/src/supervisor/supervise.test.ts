import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { supervise } from './supervise.ts';

/** A stand-in engine: a real process that reports ready, then ends as the script says. */
function engine(script: string) {
  return spawn(process.execPath, ['-e', `const fs=require('fs');${script}`], {
    stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
  });
}

const READY = `fs.writeSync(3,'{"type":"ready","engine_pid":1,"http":""}\\n');fs.closeSync(3);`;

function parts(scripts: string[], stop = new AbortController()) {
  const started: string[] = [];
  const keys: object[] = [];
  const restarts: boolean[] = [];
  const lines: string[] = [];
  const reports: string[] = [];
  const failures: string[] = [];
  return {
    failures,
    started,
    keys,
    restarts,
    lines,
    reports,
    stop,
    run: () =>
      supervise({
        spawn: (given, restarted) => {
          keys.push(given);
          restarts.push(restarted);
          const script = scripts[Math.min(started.length, scripts.length - 1)] ?? '';
          started.push(script);
          return engine(script);
        },
        report: {
          failed: (_code, _message, fix) => failures.push(fix ?? ''),
          relay: (line) => reports.push(line) > 0,
        },
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
    // A home that is missing then is lost, and not new.
    expect(test.restarts).toEqual([false, true, true]);
    expect(test.reports).toHaveLength(1);
  });

  it('starts it again on request more often than it may crash in a minute [P8]', async () => {
    const restarts = Array<string>(7).fill(`${READY}process.exit(75)`);
    const test = parts([...restarts, `${READY}process.exit(0)`]);
    await expect(test.run()).resolves.toBe(0);
    expect(test.started).toHaveLength(8);
  });

  it('names the log that says why an engine never was ready: the supervisor’s own [P8]', async () => {
    const test = parts(['process.exit(9)']);
    await expect(test.run()).resolves.toBe(1);
    expect(test.failures).toEqual(['See `bulkhead logs --supervisor`.']);
  });

  it('gives keys that an engine hands over to those after it, and shows them to no one [I1]', async () => {
    const say = (keys: string) => `fs.writeSync(3,'{"type":"keys","keys":${keys}}\\n');`;
    const READY_ONLY = `fs.writeSync(3,'{"type":"ready","engine_pid":1,"http":""}\\n');`;
    const test = parts([
      `${READY_ONLY}${say('{"A":"1","B":"2"}')}process.exit(75)`,
      `${READY_ONLY}${say('{"A":"3"}')}process.kill(process.pid,'SIGKILL')`,
      // Cut off, as by a crash.
      `${READY_ONLY}fs.writeSync(3,'{"type":"keys","ke');process.exit(75)`,
      `${READY}process.exit(0)`,
    ]);
    await expect(test.run()).resolves.toBe(0);
    expect(test.keys).toEqual([{}, { A: '1', B: '2' }, { A: '3', B: '2' }, { A: '3', B: '2' }]);
    expect(test.reports).toHaveLength(1);
    expect(test.lines.join()).not.toContain('"A"');
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
