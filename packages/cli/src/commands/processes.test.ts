import { errorMetadata } from '@bulkhead/client';
import { BulkheadError } from '@bulkhead/protocol';
import { Code, ConnectError } from '@connectrpc/connect';
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
/** Answers to questions for output. */
let read: NonNullable<ScriptedEngine['answers']['readCommandOutput']>;
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
  engine.answers.readCommandOutput = (...request) => read(...request);
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

  it('prints what one has printed, part by part, and with --follow until it ends', async () => {
    read = ({ commandId, offset }) => {
      asked.push([commandId, Number(offset)]);
      const texts = ['one\n', 'two\n', '', 'three\n'];
      const text = texts[asked.filter(Array.isArray).length - 1] ?? '';
      const next = offset + BigInt(text.length);
      return { text, next, size: offset === 0n ? 8n : next, ended: text === 'three\n' ? 'exit code 0' : '' };
    };
    expect(await call('output', 'one')).toEqual({ code: 0, out: 'one\ntwo\n', err: '' });
    expect(asked).toEqual(['', ['one', 0], ['one', 4]]);
    asked = [];
    expect(await call('output', 'one', '--follow')).toMatchObject({ code: 0, out: 'one\ntwo\nthree\n' });
    expect(asked).toEqual(['', ['one', 0], ['one', 4], ['one', 8], ['one', 8]]);
    asked = [];
    const lines = (await call('output', 'one', '--json')).out.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { text: 'one\n', next: 4, ended: null },
      { text: 'two\n', next: 8, ended: null },
    ]);
  });

  it('ends without an error when somebody stops the command that it follows', async () => {
    read = ({ offset }) => {
      const gone = new BulkheadError('not_found', 'there is no background command one');
      if (offset > 0n) throw new ConnectError(gone.message, Code.NotFound, errorMetadata(gone));
      return { text: 'one\n', next: 4n, size: 4n };
    };
    expect(await call('output', 'one', '--follow')).toEqual({ code: 0, out: 'one\n', err: '' });
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
