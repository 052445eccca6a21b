import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type IPty, spawn } from '@lydell/node-pty';
import { Terminal } from '@xterm/headless';
import { afterEach, describe, expect, it } from 'vitest';
import { until } from './support/until.ts';
import { useSharedStage } from './support/use-stage.ts';
import { sentMessages } from './support/wire-history.ts';

const stage = useSharedStage();
const COMMAND = join(fileURLToPath(new URL('..', import.meta.url)), 'bulkhead');

/**
 * Characters that a terminal obeys, or draws as nothing or elsewhere: each would hide or exchange
 * the text beside it.
 */
const DECEIVING = [
  'keep \x1b[2K\x1b[1A\x1b[8m hidden \x1b[0m',
  'title \x1b]0;owned\x07 link \x1b]8;;http://evil.example\x1b\\here\x1b]8;;\x1b\\',
  'harmless\rrm -rf /',
  'rm -rf /\b\b\b\b\b\b\b\bls      ',
  'one \u202Etxt.exe\u202C two \u2066three\u2069',
  'zero\u200Bwidth\u00AD\uFEFF tag\u{E0041}\u{E0042} filler\u3164\u2800',
  'c1 \u009B2J \u0090q\u009C \u0085 line\u2028para\u2029',
  'wide 漢字 and combined e\u0301 and \u{1F600}',
  'tab\tand end',
];

let running: IPty | undefined;
afterEach(() => {
  running?.kill('SIGKILL');
  running = undefined;
});

/** A run in a terminal of this width; `screen` is what a person sees, lines that the terminal broke joined again. */
function inTerminal(columns: number, args: readonly string[]) {
  const { PATH = '/usr/bin:/bin' } = process.env;
  const env = { PATH, LANG: 'C.UTF-8', TERM: 'xterm-256color', OLLAMA_HOST: '127.0.0.1:1' };
  const terminal = new Terminal({ cols: columns, rows: 200, scrollback: 5_000, allowProposedApi: true });
  const pty = spawn(COMMAND, [...args], {
    cols: columns,
    rows: 200,
    cwd: stage().folder,
    env: { ...env, HOME: stage().userHome, BULKHEAD_HOME: stage().layout.root },
  });
  running = pty;
  let ended: number | undefined;
  let titles = 0;
  terminal.onTitleChange(() => {
    titles += 1;
  });
  pty.onData((data) => terminal.write(data));
  pty.onExit(({ exitCode }) => {
    ended = exitCode;
  });
  const screen = (): readonly string[] => {
    const { active } = terminal.buffer;
    const lines: string[] = [];
    for (let at = 0; at < active.length; at += 1) {
      const line = active.getLine(at);
      const goesOn = active.getLine(at + 1)?.isWrapped === true;
      const text = line?.translateToString(!goesOn) ?? '';
      if (line?.isWrapped === true) lines.push(`${lines.pop() ?? ''}${text}`);
      else lines.push(text);
    }
    return lines;
  };
  return {
    screen,
    type: (text: string) => pty.write(text),
    ended: () => ended,
    titles: () => titles,
  };
}

/** A line as a terminal draws it: tabs lead to the next eighth column. */
function drawn(line: string): string {
  let text = '';
  for (const character of line) text += character === '\t' ? ' '.repeat(8 - (text.length % 8)) : character;
  return text;
}

/** Returns the character that `\\u{1b}` stands for to a person. */
function meant(line: string): string {
  return line.replaceAll(/\\u\{([0-9a-f]+)\}/gu, (_sign, code: string) =>
    String.fromCodePoint(Number.parseInt(code, 16)),
  );
}

describe('an action that a person is asked about, on a real terminal', () => {
  it.each([120, 43])(
    'stands there to the last character, %i columns wide, and is what is done [FG3] [FT42]',
    async (columns) => {
      const content = `${DECEIVING.join('\n')}\n`;
      await stage().model([
        { toolCalls: [{ name: 'write', args: { path: 'Makefile', content } }] },
        { text: 'done' },
      ]);
      const { screen, type, ended, titles } = inTerminal(columns, ['run', 'go']);
      await until('the question', async () => screen().some((line) => line.includes('Enter ›')));
      const seen = screen();
      const [asked] = JSON.parse((await stage().cli(['approvals', 'list', '--json'])).stdout);
      const canonical = JSON.stringify({ arguments: { content, path: 'Makefile' }, tool: 'write' });
      expect(asked.actionHash).toBe(createHash('sha256').update(canonical).digest('hex'));

      // All that the engine shows stands there, in one piece and in its order.
      const shown: string[] = asked.shown.split('\n').map((line: string) => drawn(`  ${line}`));
      const from = seen.indexOf(shown[0] ?? '');
      expect(seen.slice(from, from + shown.length)).toEqual(shown);
      // And what it shows is the content, character for character.
      const told = asked.shown
        .split('\n')
        .flatMap((line: string) => (/^\+(?!\+)/u.test(line) ? [meant(line.slice(1))] : []));
      expect(told).toEqual(content.trimEnd().split('\n'));

      type('y\r');
      await until('the end', async () => ended() !== undefined);
      expect(stage().read('Makefile')).toBe(content);
      expect(titles()).toBe(0);
    },
  );

  it('takes no key for the next message once it was answered elsewhere [A6]', async () => {
    const server = await stage().model([
      { toolCalls: [{ name: 'write', args: { path: 'Makefile', content: 'all: \u202Etxt\n' } }] },
      { text: 'It was refused.' },
      { text: 'Gladly.' },
    ]);
    const { screen, type, ended } = inTerminal(120, ['chat', '--no-tui']);
    const seen = (text: string) => until(text, async () => screen().some((line) => line.includes(text)));
    await seen('session ');
    type('go\r');
    await seen('Enter ›');
    type('y');
    await seen('Enter › y');
    const [asked] = JSON.parse((await stage().cli(['approvals', 'list', '--json'])).stdout);
    await stage().cli(['approvals', 'answer', asked.approvalId, 'n']);
    await seen('It was refused.');
    const last = () => screen().findLast((line) => line !== '') ?? '';
    await until('an empty prompt', async () => /^> *$/.test(last()));
    type('go on\r');
    await seen('Gladly.');
    const asker = server.requests.findLast(({ bodyText }) => bodyText.includes('It was refused.'));
    expect(asker === undefined ? [] : sentMessages(asker).at(-1)).toMatchObject({ text: 'go on' });
    await until('an empty prompt', async () => /^> *$/.test(last()));
    type('\u0004');
    await until('the end', async () => ended() !== undefined);
  });
});
