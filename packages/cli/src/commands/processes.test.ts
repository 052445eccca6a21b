import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dispatch } from '../dispatch.ts';
import { noScript, ScriptedEngine } from '../testing/scripted-engine.ts';
import { testEnvironment } from '../testing/test-environment.ts';
import { testHome } from '../testing/test-home.ts';

const RUNNING = { commandId: 'one', sessionId: 's', command: 'serve\n--now', outputPath: '/o/one', pid: 7 };
const ENDED = { commandId: 'two', sessionId: 't', command: 'make', outputPath: '/o/two', pid: 8 };

let home: ReturnType<typeof testHome>;
let engine: ScriptedEngine;
let asked: unknown[];
beforeEach(async () => {
  home = testHome();
  asked = [];
  engine = new ScriptedEngine(home.layout, noScript);
  engine.answers = {
    listCommands: ({ sessionId }) => {
      asked.push(sessionId);
      return { commands: [RUNNING, { ...ENDED, ended: 'exit code 1' }] };
    },
    stopCommand: ({ commandId, sessionId }) => {
      asked.push([commandId, sessionId]);
      return commandId === 'one' ? { command: { ...RUNNING, remarks: ['look at .envrc'] } } : {};
    },
  };
  await engine.listen();
});
afterEach(async () => {
  await engine.close();
  home[Symbol.dispose]();
});

async function call(...argv: string[]) {
  const environment = testEnvironment(home.layout, {});
  const code = await dispatch(['processes', ...argv], environment);
  return { code, out: environment.out(), err: environment.err() };
}

describe('bulkhead processes', () => {
  it('lists background commands, each with its state and where its output is', async () => {
    expect(await call()).toEqual({
      code: 0,
      err: '',
      out: [
        'one  runs, pid 7  serve --now',
        '  session s, output in /o/one',
        'two  ended: exit code 1  make',
        '  session t, output in /o/two',
        '',
      ].join('\n'),
    });
    expect(JSON.parse((await call('list', '--json', '--session', 'abc')).out)).toEqual([
      {
        id: 'one',
        session: 's',
        command: 'serve\n--now',
        output: '/o/one',
        pid: 7,
        state: 'running',
        ended: null,
        remarks: [],
      },
      {
        id: 'two',
        session: 't',
        command: 'make',
        output: '/o/two',
        pid: 8,
        state: 'ended',
        ended: 'exit code 1',
        remarks: [],
      },
    ]);
    expect(asked).toEqual(['', 'abc']);
  });

  it('stops one, with --session only one of that session', async () => {
    expect(await call('stop', 'one')).toMatchObject({ code: 0, out: 'stopped one\n  look at .envrc\n' });
    const inSession = await call('stop', 'one', '--session', 's', '--json');
    expect(JSON.parse(inSession.out)).toEqual({ stopped: 'one', remarks: ['look at .envrc'] });
    expect(asked).toEqual(['', ['one', ''], 's', ['one', 's']]);
  });

  it('says so where there is no such command', async () => {
    const { code, err } = await call('stop', 'six');
    expect(code).toBe(1);
    expect(err).toContain('there is no background command six');
  });

  it.each([['stop'], ['stop', 'one', 'two'], ['list', 'x'], ['end']])('refuses %j %j', async (...argv) => {
    expect(await call(...argv)).toMatchObject({ code: 2, out: '' });
    expect(asked).toEqual([]);
  });
});
