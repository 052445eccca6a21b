import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { enterCommand, openChat, READY } from './support/open-chat.ts';
import { KEY, type TerminalProcess } from './support/terminal-process.ts';
import { until } from './support/until.ts';
import { useSharedStage } from './support/use-stage.ts';

const stage = useSharedStage();

const LIMIT = { timeout: 240_000 };

/** Enters a command that leads to another session, and waits for that one's line. */
async function enterOther(terminal: TerminalProcess, command: string): Promise<void> {
  const sessions = () => terminal.text.match(/session [0-9A-Z]{26}/g)?.join() ?? '';
  const before = sessions();
  await enterCommand(terminal, command, READY);
  await until(`another session after ${command}`, () => READY.test(terminal.text) && sessions() !== before);
}

/** A model that writes one file, when it is asked to. */
async function begin(size: { columns: number; rows: number }, env: Record<string, string> = {}) {
  await stage().model(({ bodyText }) => {
    if (!bodyText.includes('write it')) return { text: 'good day' };
    if (bodyText.includes('"role":"tool"')) return { text: 'It is written.' };
    return { toolCalls: [{ name: 'write', args: { path: 'a.txt', content: 'one\n' } }] };
  });
  await stage().withEngine();
  const terminal = openChat(stage(), [], size, env);
  await until(
    'a session',
    () => READY.test(terminal.everything.replaceAll(/\s+/g, ' ')) || /session\s+01/.test(terminal.everything),
  );
  terminal.type(`write it${KEY.enter}`);
  await terminal.shows('It is written.');
  return terminal;
}

it('does what each command says, or tells why not [I2]', LIMIT, async () => {
  await using terminal = await begin({ columns: 100, rows: 70 });
  await enterCommand(terminal, '/help', 'check this machine');
  await enterCommand(terminal, '/cost', 'this session: 2 calls');
  await enterCommand(terminal, '/context', 'of its window of');
  await enterCommand(terminal, '/tools', /files\s+\d+/);
  await enterCommand(terminal, '/skills', 'write-skill');
  await enterCommand(terminal, '/memory', 'no memory yet');
  await enterCommand(terminal, '/approve', 'no pending approvals');
  await enterCommand(terminal, '/audit', 'EXECUTED  write');
  await enterCommand(terminal, '/audit verify', 'no witness was checked');
  await enterCommand(terminal, '/changes', 'write: a.txt');
  await enterCommand(terminal, '/doctor', 'audit log:');
  await enterCommand(terminal, '/export jsonl talk.jsonl', 'exported to');
  expect(existsSync(`${stage().folder}/talk.jsonl`)).toBe(true);
  await enterCommand(terminal, '/export jsonl talk.jsonl', 'already exists');
  await enterCommand(terminal, '/compact', /conversation compacted|nothing to compact/);
  await enterCommand(terminal, '/undo', 'restore 1 object in');
  terminal.type(`y${KEY.enter}`);
  await terminal.shows('1 object restored');
  expect(existsSync(`${stage().folder}/a.txt`)).toBe(false);
  await enterCommand(terminal, '/dry-run', 'dry run from the next message on');
  await enterOther(terminal, '/fork');
  await enterCommand(terminal, '/otr', 'off the record: it ends with the engine');
  await enterCommand(terminal, '/otr', 'on the record again');
  await enterCommand(terminal, '/sessions', 'write it');
  terminal.type(KEY.escape);
  await terminal.gone('Enter selects');
  await enterCommand(terminal, '/model', 'Choose a model');
  terminal.type(KEY.escape);
  await terminal.gone('Enter selects');
  await enterOther(terminal, '/new');
  await enterCommand(terminal, '/queue', '/queue needs a message');
  await enterCommand(terminal, '/nothing', 'unknown command /nothing');
  terminal.type(`/quit ${KEY.enter}`);
  expect(await terminal.ended()).toBe(0);
});

it(
  'does so on 20 columns without colour and in ASCII, with no line wider and no byte above 127 [I2]',
  LIMIT,
  async () => {
    await using terminal = await begin({ columns: 20, rows: 14 }, { LANG: 'C', NO_COLOR: '1' });
    await enterCommand(terminal, '/cost', 'unknown');
    await enterCommand(terminal, '/skills', 'skill.');
    await enterCommand(terminal, '/approve', 'no pending');
    await enterCommand(terminal, '/memory', 'no memory yet');
    await enterCommand(terminal, '/undo', '[y/N]');
    terminal.type(`y${KEY.enter}`);
    await terminal.shows('undo that');
    await enterCommand(terminal, '/sessions', 'Switch to');
    terminal.type(KEY.escape);
    await terminal.gone('Switch to');
    expect([...terminal.written].filter((one) => one.charCodeAt(0) > 127)).toEqual([]);
    for (const line of terminal.everything.split('\n')) expect(line.length).toBeLessThanOrEqual(20);
    terminal.type(`/quit ${KEY.enter}`);
    expect(await terminal.ended()).toBe(0);
  },
);
