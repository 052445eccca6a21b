import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openChat, READY } from './support/open-chat.ts';
import { KEY, type TerminalProcess } from './support/terminal-process.ts';
import { until } from './support/until.ts';
import { useStage } from './support/use-stage.ts';

const stage = useStage();

const LIMIT = { timeout: 240_000 };

/** Enters a command, and waits for a word of its answer. */
async function enter(terminal: TerminalProcess, command: string, answer: string | RegExp): Promise<void> {
  // A space ends the list of completions: then Enter is for the line.
  terminal.type(command.includes(' ') ? command : `${command} `);
  await terminal.shows(command);
  terminal.type(KEY.enter);
  await terminal.shows(answer, 30_000);
}

/** A model that writes one file, when it is asked to. */
async function begin(size: { columns: number; rows: number }, env: Record<string, string> = {}) {
  await stage().model(({ bodyText }) => {
    if (!bodyText.includes('write it')) return { text: 'good day' };
    if (bodyText.includes('"role":"tool"')) return { text: 'It is written.' };
    return { toolCalls: [{ name: 'write', args: { path: 'a.txt', content: 'one\n' } }] };
  });
  await stage().cli(['start', '--daemon']);
  const terminal = openChat(stage(), [], size, env);
  await until(
    'a session',
    () => READY.test(terminal.everything.replaceAll(/\s+/g, ' ')) || /session\s+01/.test(terminal.everything),
    20_000,
  );
  terminal.type(`write it${KEY.enter}`);
  await terminal.shows('It is written.', 30_000);
  return terminal;
}

it('does what each command says, or tells why not [I2]', LIMIT, async () => {
  await using terminal = await begin({ columns: 100, rows: 70 });
  await enter(terminal, '/help', 'check this machine');
  await enter(terminal, '/cost', 'this session: 2 calls');
  await enter(terminal, '/context', 'of its window of');
  await enter(terminal, '/tools', /files\s+\d+/);
  await enter(terminal, '/skills', 'write-skill');
  await enter(terminal, '/memory', 'no memory yet');
  await enter(terminal, '/approve', 'no pending approvals');
  await enter(terminal, '/audit', 'EXECUTED  write');
  await enter(terminal, '/audit verify', 'no witness was checked');
  await enter(terminal, '/changes', 'write: a.txt');
  await enter(terminal, '/doctor', 'audit log:');
  await enter(terminal, '/export jsonl talk.jsonl', 'exported to');
  expect(existsSync(`${stage().folder}/talk.jsonl`)).toBe(true);
  await enter(terminal, '/export jsonl talk.jsonl', 'already exists');
  await enter(terminal, '/compact', /conversation is shorter|nothing to gain/);
  await enter(terminal, '/undo', 'put 1 object in');
  terminal.type(`y${KEY.enter}`);
  await terminal.shows('1 object restored');
  expect(existsSync(`${stage().folder}/a.txt`)).toBe(false);
  await enter(terminal, '/dry-run', 'dry run from the next message on');
  await enter(terminal, '/fork', /session [0-9A-Z]{26}/);
  await enter(terminal, '/otr', 'off the record: it ends with the engine');
  await enter(terminal, '/otr', 'on the record again');
  await enter(terminal, '/sessions', 'write it');
  terminal.type(KEY.escape);
  await terminal.gone('Enter selects');
  await enter(terminal, '/model', 'Choose a model');
  terminal.type(KEY.escape);
  await terminal.gone('Enter selects');
  await enter(terminal, '/new', /session [0-9A-Z]{26}/);
  await enter(terminal, '/queue', '/queue needs a message');
  await enter(terminal, '/nothing', 'unknown command /nothing');
  terminal.type(`/quit ${KEY.enter}`);
  expect(await terminal.ended()).toBe(0);
});

it(
  'does so on 20 columns without colour and in ASCII, with no line wider and no byte above 127 [I2]',
  LIMIT,
  async () => {
    await using terminal = await begin({ columns: 20, rows: 14 }, { LANG: 'C', NO_COLOR: '1' });
    await enter(terminal, '/cost', 'unknown');
    await enter(terminal, '/skills', 'skill.');
    await enter(terminal, '/approve', 'nothing waits');
    await enter(terminal, '/memory', 'no memory yet');
    await enter(terminal, '/undo', '[y/N]');
    terminal.type(`y${KEY.enter}`);
    await terminal.shows('take that back');
    await enter(terminal, '/sessions', 'Switch to');
    terminal.type(KEY.escape);
    await terminal.gone('Switch to');
    expect([...terminal.written].filter((one) => one.charCodeAt(0) > 127)).toEqual([]);
    for (const line of terminal.everything.split('\n')) expect(line.length).toBeLessThanOrEqual(20);
    terminal.type(`/quit ${KEY.enter}`);
    expect(await terminal.ended()).toBe(0);
  },
);
