import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openChat, personsEnv, READY } from './support/open-chat.ts';
import { COMMAND, KEY, TerminalProcess } from './support/terminal-process.ts';
import { until } from './support/until.ts';
import { useSharedStage, useStage } from './support/use-stage.ts';

const stage = useSharedStage();

const runsOn = () => ({ toolCalls: [{ name: 'bash', args: { command: 'echo begun; sleep 600' } }] });

it('does with Ctrl-C what stands in the document: closes a list, clears the line, cancels, and leaves when that is known [I2]', {
  timeout: 270_000,
}, async () => {
  await stage().model(runsOn);
  await stage().withEngine();
  await using terminal = openChat(stage());
  await terminal.shows(READY);
  terminal.type('/th');
  await terminal.shows('/thinking');
  terminal.type(KEY.ctrlC);
  await terminal.gone('/thinking');
  await terminal.shows('/th');
  terminal.type(KEY.ctrlC);
  await terminal.shows('Type a task');
  terminal.type(`go${KEY.enter}`);
  await terminal.shows('│ begun');
  terminal.type(KEY.ctrlC);
  await terminal.shows('· cancelled');
  terminal.type(`again${KEY.enter}`);
  await terminal.shows('│ begun');
  await terminal.shows('Esc interrupts');
  terminal.type(KEY.ctrlC + KEY.ctrlC);
  expect(await terminal.ended()).toBe(0);
  expect(terminal.everything.split('· cancelled'), terminal.everything).toHaveLength(3);
  expect(terminal.everything).not.toContain('continues in the background');
});

it('gives the terminal to the shell with Ctrl-Z, and draws again after fg [I2]', {
  timeout: 270_000,
}, async () => {
  await stage().model(() => ({ text: 'still here' }));
  await stage().withEngine();
  await using shell = new TerminalProcess(['--norc', '--noprofile', '-i'], {
    cwd: stage().folder,
    env: { ...personsEnv(stage()), PS1: 'prompt$ ', TERM: 'xterm-256color' },
    rows: 40,
    program: '/bin/bash',
  });
  await shell.shows('prompt$');
  shell.type(`'${COMMAND}' chat${KEY.enter}`);
  await shell.shows(READY);
  shell.type('half a thou');
  await shell.shows('half a thou');
  shell.type(KEY.ctrlZ);
  await shell.shows('Stopped');
  shell.type(`stty -a | grep -o ' -*icanon'; echo "back""here"${KEY.enter}`);
  await shell.shows('backhere');
  expect(shell.text).toMatch(/^ icanon/m);
  const drawn = shell.everything.split('half a thou').length;
  shell.type(`fg${KEY.enter}`);
  await until('it is drawn again', () => shell.everything.split('half a thou').length > drawn);
  shell.type(`ght${KEY.enter}`);
  await shell.shows('still here');
  expect(shell.everything).toContain('› half a thought');
  shell.type(KEY.ctrlD);
  await shell.shows('continue with: bulkhead chat');
  shell.type(`exit${KEY.enter}`);
  expect(await shell.ended()).toBe(0);
});

it('says that a paste of 50 MB is too much, keeps what stood there, and goes on [I2]', {
  timeout: 540_000,
}, async () => {
  await stage().model(() => ({ text: 'an answer' }));
  await stage().withEngine();
  await using terminal = openChat(stage());
  await terminal.shows(READY);
  terminal.type('what stood there');
  await terminal.shows('what stood there');
  terminal.pasteMuch('0123456789abcdef'.repeat(65_536), 50);
  await terminal.shows('52.4 million characters', 150_000);
  expect(terminal.text).toContain('nothing was pasted');
  terminal.type(KEY.enter);
  await terminal.shows('an answer');
  expect(terminal.everything).toContain('› what stood there');
});

describe('in a home of its own', () => {
  const stage = useStage();

  it('keeps what is typed and entered before there is an engine, and starts one behind the screen [I2]', {
    timeout: 270_000,
  }, async () => {
    await stage().model(() => ({ text: 'I heard you.' }));
    await using terminal = openChat(stage());
    await terminal.shows('Type a task');
    terminal.type(`early words${KEY.enter}and more`);
    await terminal.shows('early words');
    await terminal.shows('I heard you.');
    expect(terminal.everything).toContain('› early words');
    await terminal.shows('and more');
    await stage().status();
  });

  it('prints what was entered if there is no session to send it to [I2]', { timeout: 270_000 }, async () => {
    await using terminal = openChat(stage(), ['--session', '01ARZ3NDEKTSV4RRFFQ69G5FAV']);
    await terminal.shows('Type a task');
    terminal.type(`words of mine${KEY.enter}and more`);
    expect(await terminal.ended()).not.toBe(0);
    expect(terminal.everything).toContain('not sent: words of mine');
    await stage().status();
  });

  it('remembers the theme and the visit in a file of its own, and takes nothing from a broken one [I2]', {
    timeout: 270_000,
  }, async () => {
    await stage().withEngine();
    const path = join(stage().layout.state, 'terminal.json');
    const open = async (check: (terminal: TerminalProcess) => Promise<void> | void) => {
      await using terminal = openChat(stage());
      await terminal.shows(READY);
      await check(terminal);
      terminal.type(KEY.ctrlD);
      expect(await terminal.ended()).toBe(0);
    };
    await open(async (terminal) => {
      expect(terminal.text).toContain('/undo undoes');
      terminal.type(`/theme light${KEY.enter}`);
      await terminal.shows('theme: light');
    });
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ version: 1, theme: 'light', offered: [] });
    await open(async (terminal) => {
      expect(terminal.text).not.toContain('/undo undoes');
      terminal.type(`/theme${KEY.enter}`);
      await terminal.shows('it is light');
    });
    writeFileSync(path, '{"theme":"\\u001b[2J","version":1');
    await open(async (terminal) => {
      terminal.type(`/theme${KEY.enter}`);
      await terminal.shows('it is dark');
    });
  });
});
